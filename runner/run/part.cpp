// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/part.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/filter.h"
#include "results/store.h"
#include "runner/run/prepare.h"

namespace kmatrix {
namespace fs = std::filesystem;

Result<RunRequest> part_of_run(const fs::path& directory, const Part& part) {
    auto store = Store::open(directory, false);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    auto run = store->load();
    if (!run)
        return tl::unexpected(std::move(run.error()));
    RunRequest request;
    // The copy that the run keeps; what it names relatively stands beside the file that it was.
    request.matrix_file = run->info.matrix_file;
    request.matrix_copy = directory / "matrix.toml";
    request.only = run->info.only;
    request.tests = part.tests.empty() ? run->info.tests : part.tests;
    request.tree = run->info.tree;
    request.base = run->info.baseline_commit;
    request.series = series_of_run(directory, run->info);
    request.noise = run->info.noise;
    request.patches = run->info.series.first_patches;
    if (part.cell.empty())
        return request;
    std::vector<std::string> ids;
    ids.reserve(run->matrix.cells.size());
    for (const Cell& cell : run->matrix.cells) {
        if (cell.id == part.cell) {
            request.only = to_string(filter_of(cell.axes));
            return request;
        }
        ids.push_back(cell.id);
    }
    return user_error(fmt::format("{}: there is no such cell; the run's cells are {}",
                                  printable(part.cell), join(ids, ", ")));
}

fs::path fresh_directory(const fs::path& directory, const std::string& name) {
    for (int number = 1;; ++number) {
        fs::path path = directory / fmt::format("{}-{}", name, number);
        if (!fs::exists(path))
            return path;
    }
}

} // namespace kmatrix

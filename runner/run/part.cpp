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

void ask_as(RunRequest& request, const fs::path& directory, const RunInfo& info) {
    // The copy that the run keeps; what it names relatively stands beside the file that it was.
    request.matrix_file = info.matrix_file;
    request.matrix_copy = matrix_copy(directory);
    request.only = info.only;
    request.tests = info.tests;
    request.shard = info.shard;
    request.tree = info.tree;
    request.base = info.baseline_commit;
    request.series = series_of_run(directory, info);
    request.patches = info.series.first_patches;
    request.each_patch = info.each_patch;
    request.noise = info.noise;
}

Result<const Cell*> cell_of(const Matrix& matrix, const std::string& id) {
    if (const Cell* cell = find_cell(matrix, id))
        return cell;
    std::vector<std::string> ids;
    ids.reserve(matrix.cells.size());
    for (const Cell& cell : matrix.cells)
        ids.push_back(cell.id);
    return user_error(fmt::format(
        "{}; the run's cells are {}",
        id.empty() ? "which cell?" : printable(id) + ": there is no such cell", join(ids, ", ")));
}

Result<RunRequest> part_of_run(const fs::path& directory, const Part& part) {
    auto run = load_run(directory);
    if (!run)
        return tl::unexpected(std::move(run.error()));
    RunRequest request;
    ask_as(request, directory, run->info);
    request.each_patch = EachPatch::no;
    if (!part.tests.empty())
        request.tests = part.tests;
    if (part.cell.empty())
        return request;
    return cell_of(run->matrix, part.cell).map([&](const Cell* cell) {
        request.only = to_string(filter_of(cell->axes));
        request.shard = {}; // it is that cell, whichever part it was in
        return request;
    });
}

fs::path fresh_directory(const fs::path& directory, const std::string& name) {
    for (int number = 1;; ++number) {
        fs::path path = directory / fmt::format("{}-{}", name, number);
        if (!fs::exists(path))
            return path;
    }
}

} // namespace kmatrix

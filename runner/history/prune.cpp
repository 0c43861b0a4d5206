// SPDX-License-Identifier: GPL-2.0-only
#include "runner/history/prune.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "results/store.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

struct FoundRun {
    fs::path directory;
    std::string started; // ISO 8601, UTC: as text, in order
};

Result<void> index_and_remove(const fs::path& directory, History& history, bool dry) {
    const auto store = Store::open(directory, true); // locked: nobody is at work there
    if (!store)
        return tl::unexpected(store.error());
    const auto run = store->load();
    if (!run)
        return tl::unexpected(run.error());
    if (dry)
        return {};
    if (auto added = history.add(run->info, run->matrix, compare_tests(*run, compare_builds(*run)));
        !added)
        return added;
    std::error_code error;
    fs::remove_all(directory, error);
    if (error)
        return infrastructure_error("cannot be removed: " + error.message());
    return {};
}

} // namespace

Result<Pruned> prune(const fs::path& folder, std::size_t keep, History& history, bool dry) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error)
        return user_error(fmt::format("{}: {}", folder.string(), error.message()));
    Pruned pruned;
    std::vector<FoundRun> runs;
    for (const fs::directory_entry& entry : entries) {
        if (entry.is_symlink() || !entry.is_directory() || !is_run(entry.path()))
            continue;
        const auto info = read_info(entry.path());
        if (info)
            runs.push_back({entry.path(), info->started});
        else
            pruned.left.emplace_back(entry.path(), info.error().message);
    }
    std::sort(runs.begin(), runs.end(), [](const FoundRun& a, const FoundRun& b) {
        return std::tie(a.started, a.directory) > std::tie(b.started, b.directory);
    });
    pruned.kept = std::min(keep, runs.size());
    for (std::size_t i = pruned.kept; i < runs.size(); ++i) {
        if (auto done = index_and_remove(runs[i].directory, history, dry); done)
            pruned.removed.push_back(runs[i].directory);
        else
            pruned.left.emplace_back(runs[i].directory, done.error().message);
    }
    return pruned;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/merge.h"

#include <algorithm>

#include "base/command.h"
#include "base/files.h"
#include "results/merge.h"
#include "results/store.h"
#include "runner/run/reports.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

Result<ShardRun> read_shard(const fs::path& directory) {
    auto run = load_run(directory);
    if (!run)
        return tl::unexpected(std::move(run.error()));
    return read_file(matrix_copy(directory)).map([&](std::string text) {
        return ShardRun{directory.string(), std::move(text), std::move(*run)};
    });
}

Result<void> save(const Store& store, const MergedRun& merged) {
    RunResult incidents;
    incidents.infrastructure = merged.infrastructure;
    incidents.not_run = merged.not_run;
    return store.save_incidents(incidents).and_then([&] { return store.save(merged.known); });
}

} // namespace

Result<RunEnd> merge_runs(const std::vector<fs::path>& directories, const fs::path& out) {
    std::vector<ShardRun> shards;
    shards.reserve(directories.size());
    for (const fs::path& directory : directories) {
        auto shard = read_shard(directory);
        if (!shard)
            return tl::unexpected(std::move(shard.error()));
        shards.push_back(std::move(*shard));
    }
    auto merged = merge_shards(shards);
    if (!merged)
        return tl::unexpected(std::move(merged.error()));
    merged->info.id = out.filename().string();
    if (auto& earlier = merged->known.earlier_version)
        earlier->command = shell_text({"kmatrix", "compare", earlier->directory,
                                       fs::absolute(out).lexically_normal().string()});
    auto store = Store::create(out, merged->info, shards.front().matrix_text);
    if (!store)
        return tl::unexpected(std::move(store.error()));
    // In the shards' order: of what two have, the first's stays.
    std::vector<const ShardRun*> ordered;
    ordered.reserve(shards.size());
    for (const ShardRun& shard : shards)
        ordered.push_back(&shard);
    std::sort(ordered.begin(), ordered.end(), [](const ShardRun* a, const ShardRun* b) {
        return a->run.info.shard < b->run.info.shard;
    });
    for (const ShardRun* shard : ordered)
        if (auto adopted = Store::open(shard->name, false).and_then([&](const Store& other) {
                return store->adopt(other);
            });
            !adopted)
            return tl::unexpected(std::move(adopted.error()));
    if (auto saved = save(*store, *merged); !saved)
        return tl::unexpected(std::move(saved.error()));
    auto run = store->load();
    if (!run)
        return tl::unexpected(std::move(run.error()));
    auto comparison = write_reports(*store, *run);
    if (!comparison)
        return tl::unexpected(std::move(comparison.error()));
    std::string text = terminal_summary(*run, *comparison, out);
    return RunEnd{std::move(*comparison), std::move(text), out, false};
}

} // namespace kmatrix

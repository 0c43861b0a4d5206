// SPDX-License-Identifier: GPL-2.0-only
// The shards of a run put together to what one run of all cells would have been. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "results/known.h"
#include "results/model.h"

namespace kmatrix {

struct ShardRun {
    std::string name;        // its directory, for messages
    std::string matrix_text; // the copy that it keeps
    RunResult run;
};

// All of a run but its builds and boots, which each shard's directory has.
struct MergedRun {
    RunInfo info;
    std::vector<std::pair<std::string, std::string>> infrastructure;
    std::vector<std::string> not_run;
    Known known;
};

// Errors (the user's): a run that is no shard; shards of different runs (another matrix, choice of
// cells, baseline, series or kmatrix); one twice; one missing. A build that one shard made and
// another could not is work that was not done; two images of one build are noted.
Result<MergedRun> merge_shards(std::vector<ShardRun> shards);

} // namespace kmatrix

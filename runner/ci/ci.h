// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix ci`: an ordinary run of what a CI asks for, or the merge of one's shards, with what a CI
// wants of it where the CI wants it.
//
// OUTPUT is the run's directory (results/store.h), and has besides:
//   summary.md                    for the job's page; on GitHub it is appended to the step's
//   summary gl-code-quality-report.json   on GitLab
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/ci/detect.h"
#include "runner/run/run.h"

namespace kmatrix {

struct CiRequest {
    // Its tree, base, series and directory may be empty; then the CI, or the below, says them.
    RunRequest run;
    std::string base, head;                    // revisions; head without base is an error
    std::vector<std::filesystem::path> shards; // to be merged, and nothing to be run
};

using Perform = std::function<Result<RunEnd>(const RunRequest&)>;

// kmatrix's exit status: that of the run. A run without any result is 3, never 0. On GitHub all
// output of the run is between stop-commands and its end.
int ci(CiRequest request, const Environment& environment, const Perform& run = perform);

} // namespace kmatrix

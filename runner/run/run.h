// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix run`: from a request to its reports.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "results/comparison/comparison.h"
#include "runner/run/request.h"

namespace kmatrix {

struct RunEnd {
    Comparison comparison;
    std::string text; // the summary for a terminal
    std::filesystem::path directory;
    bool interrupted = false;
};

int exit_status(const RunEnd& end); // kmatrix's

// Prints progress on stderr, keeps results and writes reports. Interrupted once (SIGINT, SIGTERM,
// SIGHUP) it stops what runs, keeps what is done and writes the reports; twice, it ends at once.
Result<RunEnd> perform(const RunRequest& request);

// The same, and prints the report on stdout; the exit status is kmatrix's.
int run(const RunRequest& request);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What a run was asked for.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "matrix/shard.h"
#include "results/model.h"

namespace kmatrix {

struct RunRequest {
    std::filesystem::path matrix_file;
    std::filesystem::path matrix_copy; // its text, if it is not to be read from matrix_file
    std::string only;                  // a filter; empty: all cells
    std::vector<std::string> tests;    // "TARGET:TEST": these alone, and no benchmark; empty: all
    Shard shard;                       // the part of the cells to run
    int patches = 0;                   // the first of the series that are applied; 0: all
    EachPatch each_patch = EachPatch::no;
    std::string tree; // the kernel's git tree
    std::string base; // a revision of it; empty: see find_base()
    std::string series;
    // An A/A run: no series, the baseline on both sides, and benchmarks alone.
    bool noise = false;
    std::filesystem::path directory; // of the run
    bool resume = false;             // go on with the run that is there; it says all of the above
    std::optional<std::chrono::seconds> budget;
    int jobs = 1; // of make
    // Build patched kernels without baseline's objects, as a check of the other way.
    bool clean_builds = false;
    std::vector<std::string> command_line;
};

} // namespace kmatrix

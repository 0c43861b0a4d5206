// SPDX-License-Identifier: GPL-2.0-only
// A part of a run that is there, to be run again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/model.h"
#include "runner/run/request.h"

namespace kmatrix {

struct Part {
    std::string cell;               // its id; empty: all
    std::vector<std::string> tests; // "TARGET:TEST"; empty: all, and the benchmarks
};

// Makes the request one for the same matrix, tree and series as those of a run in `directory`.
void ask_as(RunRequest& request, const std::filesystem::path& directory, const RunInfo& info);

// Errors (the user's): no such cell; the message lists those that there are.
Result<const Cell*> cell_of(const Matrix& matrix, const std::string& id);

// What to ask for to do that part of the run again, with the same matrix, tree and series. Errors
// (the user's): no such run or cell.
Result<RunRequest> part_of_run(const std::filesystem::path& directory, const Part& part);

// DIRECTORY/NAME-1, or the first of -2, -3, ... that is not there yet.
std::filesystem::path fresh_directory(const std::filesystem::path& directory,
                                      const std::string& name);

} // namespace kmatrix

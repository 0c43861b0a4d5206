// SPDX-License-Identifier: GPL-2.0-only
// A whole run but for its stages, which are fakes that say the same each time: on two
// architectures, with a test that fails on the patched kernel and is run again.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "results/store.h"
#include "runner/engine/engine.h"
#include "tests/faults/points.h"

namespace kmatrix::faults {

struct RunOptions {
    Faults faults = {};
    Capacity capacity = {4, 100'000};
    std::string failing_task;         // its stage says that a tool is missing
    std::filesystem::path wait_for;   // no stage ends before this file is there
    bool terminal_gone = false;       // whatever is printed meets a closed pipe
    std::filesystem::path count_file; // where the number of points goes in the end
};

// Begins the run in the directory or, if there is one, goes on with it; to its reports. kmatrix's
// exit status: 0, or 3 where it could not (with a line on stderr), or was interrupted.
int run_here(const std::filesystem::path& directory, const RunOptions& options);

// The same in a child; its wait status.
int run_in_child(const std::filesystem::path& directory, const RunOptions& options = {});

// What the run says in the end: its reports, by name.
std::map<std::string, std::string> outcome(const std::filesystem::path& directory);

} // namespace kmatrix::faults

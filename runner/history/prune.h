// SPDX-License-Identifier: GPL-2.0-only
// Which runs' directories go, when somebody asks for room: all but the newest.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runner/history/history.h"

namespace kmatrix {

struct Pruned {
    std::vector<std::filesystem::path> removed; // newest first
    // Too old, and left all the same: which, and why.
    std::vector<std::pair<std::filesystem::path, std::string>> left;
    std::size_t kept = 0; // the newest
};

// Of the runs directly below the folder, by the time at which they started, the newest `keep` stay.
// Each of the others is put into the index, and then removed with all that is in it: its reports,
// logs, reruns and bisections. What is being worked on, cannot be read or cannot be indexed stays.
// Only directories that hold a run are ever looked at, and links are not followed. With `dry`
// nothing is indexed or removed. Errors, the user's: there is no such folder.
Result<Pruned> prune(const std::filesystem::path& folder, std::size_t keep, History& history,
                     bool dry);

} // namespace kmatrix

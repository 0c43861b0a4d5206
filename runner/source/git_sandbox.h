// SPDX-License-Identifier: GPL-2.0-only
// The bubblewrap for a git that reads what somebody sent.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kmatrix {

// The command without a network and with nothing to write but these directories. Pure.
std::vector<std::string> git_in_sandbox(const std::vector<std::string>& command,
                                        const std::vector<std::filesystem::path>& writable);

} // namespace kmatrix

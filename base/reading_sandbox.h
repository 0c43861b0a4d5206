// SPDX-License-Identifier: GPL-2.0-only
// For a program of the host that reads a file which a stranger may have made (the vmlinux that a
// patched Makefile left): what goes wrong in it then has nothing to take and nowhere to go.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kmatrix {

// The command in bubblewrap: no network, no home, nothing to write, and of the host's files only
// its programs and the one that is to be read, an absolute path. To be run with a clean
// environment, which bubblewrap's own process shows in /proc/1. Pure.
std::vector<std::string> reading_only(const std::vector<std::string>& command,
                                      const std::filesystem::path& file);

} // namespace kmatrix

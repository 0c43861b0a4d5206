// SPDX-License-Identifier: GPL-2.0-only
// The bubblewrap that every make runs in. A patch is code that somebody sent by mail, and building
// a kernel runs it: there it finds no network, no home, no process of the host, nothing of the
// caller's environment, nowhere to write but its own output, and limits on what it uses up.
//
// Source and output lie at /src and /build in every build, so that what make and the compilers
// write into the output does not depend on where it lies, and one output can be built on from
// another's copy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/build/limits.h"

namespace kmatrix {

struct Bind {
    std::filesystem::path from, to;
    bool writable = false;
};

struct Sandbox {
    std::filesystem::path source;         // at /src
    bool source_writable = false;         // some selftests write beside their sources
    std::filesystem::path output;         // at /build, writable; where the command starts
    std::vector<Bind> binds;              // more of the host
    std::vector<std::string> environment; // "NAME=value", beside the fixed ones
    BuildLimits limits = {};
};

// The command in the sandbox, to be run with the caller's own PATH for bwrap itself, and with the
// filter of system calls open as entering() has it. Pure.
std::vector<std::string> sandbox_argv(const Sandbox& sandbox,
                                      const std::vector<std::string>& command);

} // namespace kmatrix

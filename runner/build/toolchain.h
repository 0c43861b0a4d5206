// SPDX-License-Identifier: GPL-2.0-only
// Which compiler builds for which architecture, and how make is told.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

struct Toolchain {
    std::vector<std::string> make_variables; // "ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"
    std::string compiler;                    // the program: "aarch64-linux-gnu-gcc", "clang-19"
    std::string compiler_version;            // its own words, one line
    // Every tool's version whose output or answers get into a kernel or its configuration.
    std::string fingerprint;
};

// "gcc" or "clang" (Debian's clang-19 with lld) for the architecture, on this machine. An Error
// where it is not installed.
boost::asio::awaitable<Result<Toolchain>> find_toolchain(Arch arch, std::string compiler);

// What make builds, and where it then lies in its output: "bzImage", "arch/x86/boot/bzImage".
std::string image_target(Arch arch);
std::string image_path(Arch arch);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix shell`: a kernel of a run, with that run's image and machine, and a prompt.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

struct ShellRequest {
    std::filesystem::path directory; // of the run
    std::string cell;                // its id; may be empty where the run has one cell
    Kernel kernel = Kernel::patched;
    int jobs = 1; // of make, for what is no longer in the cache
};

// The command of QEMU that gives the prompt; kernel and image are built again where the cache has
// them no more. Errors (the user's): no such run or cell, a kernel that does not build.
Result<std::string> shell_command(const ShellRequest& request);

} // namespace kmatrix

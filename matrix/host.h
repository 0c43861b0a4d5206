// SPDX-License-Identifier: GPL-2.0-only
// What the matrix is held against before anything runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// The machine that will run it.
struct Host {
    int cpus = 1;
    std::set<Arch> emulated; // guests of these run under TCG here
};

// What can run but deserves a warning: many emulated vCPUs on a small host, more busy vCPUs than
// CPUs where that is forced, a [gate] that gates nothing here or gates on emulated figures, boots
// too few for the exact permutation test once Holm's correction is paid for. A sentence each.
std::vector<std::string> advice(const Matrix& matrix, const Host& host);

// Refuses a benchmark that keeps more vCPUs busy than the host has CPUs, unless it says `force`:
// what it measured then would be the host's scheduler. The user's to mend.
Result<void> check_host(const Matrix& matrix, const Host& host);

} // namespace kmatrix

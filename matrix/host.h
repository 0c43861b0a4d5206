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

// Emulated vCPUs that two host cores still boot in good time; measured under TCG on such a host:
// x86_64 3 s for 8, 9 s for 16, 24 to 31 s for 24; arm64 2.7 s for 24, 7 to over 100 s for 48. With
// more than these, and more than the host has CPUs, a stall is no verdict.
int easy_emulated_vcpus(Arch arch);

// What can run but deserves a warning: many emulated vCPUs on a small host, more busy vCPUs than
// CPUs where that is forced, a [gate] that gates nothing here or gates on emulated figures, boots
// too few for the exact permutation test once Holm's correction is paid for. A sentence each.
std::vector<std::string> advice(const Matrix& matrix, const Host& host);

// Refuses a benchmark that keeps more vCPUs busy than the host has CPUs, unless it says `force`:
// what it measured then would be the host's scheduler. The user's to mend.
Result<void> check_host(const Matrix& matrix, const Host& host);

} // namespace kmatrix

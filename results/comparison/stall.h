// SPDX-License-Identifier: GPL-2.0-only
// What emulation alone can make a kernel print.
#pragma once

#include "matrix/matrix.h"
#include "results/console/finding.h"

namespace kmatrix {

// The guest's own watchdogs spoke: RCU stall, soft or hard lockup, hung task, workqueue lockup.
bool is_stall(const Finding& finding);

// The most emulated vCPUs that a host of two cores runs in time; above it kernels stall by
// themselves (matrix/host.h warns of it beforehand).
int easy_emulated_vcpus(Arch arch);

} // namespace kmatrix

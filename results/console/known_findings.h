// SPDX-License-Identifier: GPL-2.0-only
// Which findings count against a series.
#pragma once

#include <vector>

#include "results/console/finding.h"

namespace kmatrix {

// The findings of `patched` that `baseline` has none of the same class and title of. How often
// either has them does not matter: a race that hits twice is no new one. In the order of `patched`,
// each class and title once.
std::vector<Finding> new_findings(const std::vector<Finding>& baseline,
                                  const std::vector<Finding>& patched);

// A watchdog's word that something took too long: RCU stall, soft and hard lockup, hung task,
// workqueue lockup, a CPU that does not answer. Where the CPUs are emulated, the host's load alone
// can bring these about, so that there one is never a regression.
bool is_stall(const Finding& finding);

// A stray breakpoint (int3) in the kernel's own code. Under QEMU's TCG, x86_64 kernels die of it
// when they patch their code (jump labels) while other CPUs run: a translation with the breakpoint
// in it is run once more after the kernel has taken it away. Seen in 1 of 10 boots with 4 vCPUs,
// QEMU 7.2. On hardware it is the kernel's fault.
bool is_stray_breakpoint(const Finding& finding);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What the series made worse, each thing once: a patched kernel that panics has one regression, not
// one for the panic, one for its splat and one for every test that it did not get to. What only
// some patches of the series break (steps.h) is among them.
#pragma once

#include <vector>

#include "results/comparison/comparison.h"

namespace kmatrix {

// From the other parts of the comparison. What gates stands first; then by lane.
std::vector<Regression> find_regressions(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

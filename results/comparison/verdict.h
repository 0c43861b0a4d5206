// SPDX-License-Identifier: GPL-2.0-only
// The run as a whole: an exit status and a sentence.
#pragma once

#include <string>

#include "results/comparison/comparison.h"

namespace kmatrix {

// From all the other parts of the comparison. A regression that gates is one whatever else went
// wrong. Without one the outcome is infrastructure if work of ours could not be done, if no boot of
// the baseline completed (there is nothing to compare with), or if nothing gave any result: what
// was skipped, or ran on one kernel alone, is none.
Outcome find_outcome(const RunResult& run, const Comparison& comparison);

// One sentence, from the outcome and the rest. What was measured under emulation is said to be.
std::string find_verdict(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

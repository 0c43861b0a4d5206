// SPDX-License-Identifier: GPL-2.0-only
// What two runs say of each other, in one sentence.
#pragma once

#include <string>

#include "results/comparison/runs.h"

namespace kmatrix {

// From all the other parts: "B against A: 1 test regressed, 2 are fixed; smaps_rollup is 12 %
// faster in x86_64-default-8cpu-gcc, under emulation."
std::string find_verdict(const RunsComparison& runs);

// "regressed", "fixed", "new", ... of one thing between the two runs, as a report shows it.
std::string_view word(FindingVerdict verdict);
// "12 % faster", "the same within 5 %", "inconclusive".
std::string word(const LatencyComparison& latency);

} // namespace kmatrix

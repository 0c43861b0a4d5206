// SPDX-License-Identifier: GPL-2.0-only
// Why a latency comparison came out as it did, in words.
#pragma once

#include <string>

#include "results/comparison/latency.h"

namespace kmatrix {

// Three significant digits, never with an exponent: "0.0774", "3.44", "130".
std::string significant_text(double value);

std::string why_not_measured(const LatencyComparison& latency);
// These set `why` and `settle`.
void explain_few_boots(LatencyComparison& latency);
void explain_inconclusive(LatencyComparison& latency);

} // namespace kmatrix

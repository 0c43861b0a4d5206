// SPDX-License-Identifier: GPL-2.0-only
// Why a latency comparison came out as it did, in words.
#pragma once

#include <string>

#include "results/comparison/latency.h"

namespace kmatrix {

// Three significant digits, never with an exponent: "0.0774", "3.44", "130".
std::string significant_text(double value);

// Two significant digits at least: "3.2 %", "12 %".
std::string percent_text(double part);

std::string why_not_measured(const LatencyComparison& latency);
// Which margin applies, and why. `floor`: this machine's noise, if it is known.
std::string margin_why(const LatencyComparison& latency, const NoiseFloor* floor);
// These set `why` and `settle`.
void explain_few_boots(LatencyComparison& latency);
void explain_inconclusive(LatencyComparison& latency);

} // namespace kmatrix

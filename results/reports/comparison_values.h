// SPDX-License-Identifier: GPL-2.0-only
// Parts of comparisons as JSON values, for reports of one run and of two.
#pragma once

#include <nlohmann/json.hpp>

#include "results/comparison/comparison.h"

namespace kmatrix {

nlohmann::json value_of(const BootTally& tally); // planned, booted, completed, outcomes
nlohmann::json value_of(const TestTally& tally); // passed, failed, skipped, missing
nlohmann::json value_of(const std::vector<Warning>& warnings);
// All but the benchmark's name; each side under the name that is given for it.
nlohmann::json value_of(const LatencyComparison& latency, const char* baseline = "baseline",
                        const char* patched = "patched");

} // namespace kmatrix

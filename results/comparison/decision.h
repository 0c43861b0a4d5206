// SPDX-License-Identifier: GPL-2.0-only
// From the figures of a few boots to one word. The boot is the unit: samples of one boot share its
// luck (memory layout, host load), and pooling them calls a difference where there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "results/comparison/sides.h"
#include "results/statistics/welch.h"

namespace kmatrix {

// Ratio patched/baseline of two geometric means, from one logarithm a boot.
struct RatioTest {
    Sides<std::size_t> boots;
    double ratio = 1;
    statistics::Interval ratio_95; // of the ratio, 95 % confidence
    statistics::Interval ratio_90;
    // Two-sided, that nothing changed: Welch's t; where no side has any variance, which leaves
    // Welch without a scale, the permutation test's.
    double p = 1;
    double p_permutation = 1;
    bool permutation_exact = true;
    double deviation = 0; // between boots, of logarithms, pooled over both sides
};

// `floor`: the variance of logarithms that a side has at the least, which is that of rounding.
// None if a side has fewer than two boots.
std::optional<RatioTest> test_ratio(std::span<const double> baseline_logs,
                                    std::span<const double> patched_logs, Sides<double> floor = {},
                                    std::uint64_t seed = 1);

enum class LatencyVerdict {
    faster,            // changed: significant, and outside the margin
    slower,            // the same, the other way
    equivalent,        // the 90 % interval lies within the margin
    changed_but_small, // significant, and within the margin
    inconclusive,      // none of these; see LatencyComparison::settle
    refused,           // the two sides did not measure the same thing
    same_image,        // one kernel on both sides: no difference is possible
    not_measured,      // a side has no figure at all
};
std::string_view to_string(LatencyVerdict verdict); // "faster", ..., "changed but small"

// The verdict on a test that may have one, of the first five. In this order: faster or slower if
// p_adjusted < 0.05 and the ratio is outside the margin; equivalent if the 90 % interval lies
// within it; changed but small if p_adjusted < 0.05; else inconclusive. The margin is symmetric for
// ratios: 0.05 is 1/1.05 to 1.05.
LatencyVerdict decide(const RatioTest& test, double p_adjusted, double margin);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/decision.h"

#include <cmath>

#include "results/statistics/describe.h"
#include "results/statistics/permutation.h"

namespace kmatrix {

namespace {

constexpr double significant = 0.05;

statistics::Interval exponential(const statistics::Interval& logs) {
    return {std::exp(logs.low), std::exp(logs.high)};
}

} // namespace

std::string_view to_string(LatencyVerdict verdict) {
    switch (verdict) {
    case LatencyVerdict::faster:
        return "faster";
    case LatencyVerdict::slower:
        return "slower";
    case LatencyVerdict::equivalent:
        return "equivalent";
    case LatencyVerdict::changed_but_small:
        return "changed but small";
    case LatencyVerdict::inconclusive:
        return "inconclusive";
    case LatencyVerdict::refused:
        return "refused";
    case LatencyVerdict::same_image:
        return "same image";
    case LatencyVerdict::not_measured:
        return "not measured";
    }
    return "unknown";
}

std::optional<RatioTest> test_ratio(std::span<const double> baseline_logs,
                                    std::span<const double> patched_logs, Sides<double> floor,
                                    std::uint64_t seed) {
    const auto welch =
        statistics::welch(baseline_logs, patched_logs, floor.baseline, floor.patched);
    const auto permutation = statistics::permutation_test(baseline_logs, patched_logs, seed);
    if (!welch || !permutation)
        return std::nullopt;
    const double variance_baseline = statistics::variance(baseline_logs);
    const double variance_patched = statistics::variance(patched_logs);
    RatioTest test;
    test.boots = {baseline_logs.size(), patched_logs.size()};
    test.ratio = std::exp(welch->difference);
    test.ratio_95 = exponential(welch->interval(0.95));
    test.ratio_90 = exponential(welch->interval(0.90));
    test.p_permutation = permutation->p;
    test.permutation_exact = permutation->exact;
    test.p = variance_baseline + variance_patched > 0 ? welch->p() : permutation->p;
    test.deviation = std::sqrt((variance_baseline + variance_patched) / 2);
    return test;
}

LatencyVerdict decide(const RatioTest& test, double p_adjusted, double margin) {
    const double high = 1 + margin;
    const double low = 1 / high;
    if (p_adjusted < significant && test.ratio < low)
        return LatencyVerdict::faster;
    if (p_adjusted < significant && test.ratio > high)
        return LatencyVerdict::slower;
    if (test.ratio_90.low > low && test.ratio_90.high < high)
        return LatencyVerdict::equivalent;
    if (p_adjusted < significant)
        return LatencyVerdict::changed_but_small;
    return LatencyVerdict::inconclusive;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/call_times.h"

#include <algorithm>
#include <cmath>

namespace kmatrix {

std::uint64_t count_calls(const Histogram& histogram) {
    std::uint64_t calls = 0;
    for (const auto& [bound, count] : histogram)
        calls += count;
    return calls;
}

double share_height(std::uint64_t slower, std::uint64_t calls) {
    const double slower_share = static_cast<double>(slower) / static_cast<double>(calls);
    return slower_share >= 0.1 ? height_of_90_percent * (1 - slower_share) / 0.9
                               : height_of_90_percent - 1 - std::log10(slower_share);
}

std::vector<DistributionPoint> distribution(const Histogram& histogram, double step) {
    std::vector<DistributionPoint> points;
    const std::uint64_t calls = count_calls(histogram);
    std::uint64_t slower = calls; // than the bucket's upper bound
    for (const auto& [bound_ns, count] : histogram) {
        if (count == 0)
            continue;
        slower -= count;
        const double ms = static_cast<double>(bound_ns) / 1e6;
        if (points.empty())
            points.push_back({ms, 0});
        const double height = share_height(std::max<std::uint64_t>(slower, 1), calls);
        if (slower == 0 || height - points.back().height >= step)
            points.push_back({ms, height});
    }
    return points;
}

} // namespace kmatrix

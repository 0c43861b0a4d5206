// SPDX-License-Identifier: GPL-2.0-only
// The distribution of single calls' times, from the samples' histograms.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace kmatrix {

// Call counts by upper bound of the bucket in nanoseconds (Sample::histogram_ns).
using Histogram = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t count_calls(const Histogram& histogram);

// How high a share of calls stands in a picture: what most calls take and what the slowest take are
// both to be seen. Up to 90 % the scale is even; above, each further nine (99 %, 99.9 %) is 1 more.
inline constexpr double height_of_90_percent = 3;
double share_height(std::uint64_t slower, std::uint64_t calls); // of the calls that are not slower

// A point of the empirical distribution function.
struct DistributionPoint {
    double ms = 0;
    double height = 0;
};

// The corners of the step function, from (fastest, 0) up to the slowest call, where its share would
// be all: that is beyond every nine, and drawn as if one call were slower still. Every call is
// taken for its bucket's upper bound, at most 1/32 above its time. Points that do not rise by
// `step` above the last one are left out but for the first and the last. Empty for an empty
// histogram.
std::vector<DistributionPoint> distribution(const Histogram& histogram, double step);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kmatrix::guest {

std::size_t Histogram::bucket_of(std::uint64_t ns) {
    if (ns < sub_buckets) {
        return ns;
    }
    const std::size_t exponent = std::bit_width(ns) - 1; // at least sub_bits
    const std::size_t sub = (ns >> (exponent - sub_bits)) & (sub_buckets - 1);
    return (exponent - sub_bits + 1) * sub_buckets + sub;
}

std::uint64_t Histogram::upper_bound_ns(std::size_t bucket) {
    if (bucket < sub_buckets) {
        return bucket;
    }
    const std::size_t shift = bucket / sub_buckets - 1;
    const std::uint64_t first = (sub_buckets + bucket % sub_buckets) << shift;
    return first + ((std::uint64_t{1} << shift) - 1);
}

void Histogram::add(std::uint64_t ns) {
    ++buckets_[bucket_of(ns)];
    ++count_;
    sum_ns_ += ns;
    max_ns_ = std::max(max_ns_, ns);
}

double Histogram::mean_ns() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(count_);
}

std::uint64_t Histogram::percentile_ns(double q) const {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
        seen += buckets_[bucket];
        if (seen >= wanted && seen > 0) {
            return std::min(upper_bound_ns(bucket), max_ns_);
        }
    }
    return 0;
}

} // namespace kmatrix::guest

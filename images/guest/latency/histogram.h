// SPDX-License-Identifier: GPL-2.0-only
// A log-linear histogram of durations in nanoseconds: every power of two is cut into 32 buckets of
// equal width, so that a bucket's bounds differ by at most 1/32 (3.1 %). Values below 32 ns are
// exact. Plain memory without pointers: it may lie in memory that processes share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kmatrix::guest {

class Histogram {
  public:
    static constexpr std::size_t sub_buckets = 32;
    static constexpr std::size_t sub_bits = 5;
    // 32 exact values, then 32 buckets for each power of two from 2^5 to 2^63.
    static constexpr std::size_t bucket_count = sub_buckets * (1 + 64 - sub_bits);

    static std::size_t bucket_of(std::uint64_t ns);
    // The largest value that falls into the bucket.
    static std::uint64_t upper_bound_ns(std::size_t bucket);

    void add(std::uint64_t ns);
    void clear() { *this = Histogram(); }

    std::uint64_t count() const { return count_; }
    std::uint64_t max_ns() const { return max_ns_; }
    double mean_ns() const; // 0 if empty
    std::uint64_t at(std::size_t bucket) const { return buckets_[bucket]; }
    // The smallest bucket's upper bound that at least the share `q` (0 < q <= 1) of the values does
    // not exceed, and never more than the maximum. 0 if empty.
    std::uint64_t percentile_ns(double q) const;

  private:
    std::array<std::uint64_t, bucket_count> buckets_{};
    std::uint64_t count_ = 0;
    std::uint64_t sum_ns_ = 0;
    std::uint64_t max_ns_ = 0;
};

} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/histogram.h"

#include <gtest/gtest.h>

#include <limits>

namespace kmatrix::guest {
namespace {

TEST(Histogram, KeepsSmallValuesExact) {
    for (std::uint64_t ns = 0; ns < 32; ++ns) {
        EXPECT_EQ(Histogram::bucket_of(ns), ns);
        EXPECT_EQ(Histogram::upper_bound_ns(ns), ns);
    }
}

// By hand: 32..63 have a bucket each; 64..127 two values a bucket; 1,000,000 lies in [2^19, 2^20),
// whose buckets are 2^14 = 16,384 wide: floor((1000000 - 524288) / 16384) = 29, so it is bucket 29
// of that power, and the last value there is 524288 + 30 * 16384 - 1 = 1,015,807.
TEST(Histogram, BoundsByHand) {
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(32)), 32u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(63)), 63u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(64)), 65u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(65)), 65u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(66)), 67u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(127)), 127u);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_of(1'000'000)), 1'015'807u);
}

TEST(Histogram, EveryBucketHoldsItsUpperBoundAndTheNextValueIsTheNextBucket) {
    for (std::size_t bucket = 0; bucket + 1 < Histogram::bucket_count; ++bucket) {
        const auto upper = Histogram::upper_bound_ns(bucket);
        ASSERT_EQ(Histogram::bucket_of(upper), bucket);
        ASSERT_EQ(Histogram::bucket_of(upper + 1), bucket + 1);
    }
    const auto largest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(Histogram::bucket_of(largest), Histogram::bucket_count - 1);
    EXPECT_EQ(Histogram::upper_bound_ns(Histogram::bucket_count - 1), largest);
}

TEST(Histogram, EmptyHasNoFigures) {
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0u);
    EXPECT_EQ(histogram.mean_ns(), 0);
    EXPECT_EQ(histogram.max_ns(), 0u);
    EXPECT_EQ(histogram.percentile_ns(0.99), 0u);
}

TEST(Histogram, Figures) {
    Histogram histogram;
    for (int i = 0; i < 98; ++i) {
        histogram.add(10);
    }
    histogram.add(20);
    histogram.add(1'000'000);
    EXPECT_EQ(histogram.count(), 100u);
    EXPECT_DOUBLE_EQ(histogram.mean_ns(), (98 * 10 + 20 + 1'000'000) / 100.0);
    EXPECT_EQ(histogram.max_ns(), 1'000'000u);
    EXPECT_EQ(histogram.percentile_ns(0.5), 10u);
    EXPECT_EQ(histogram.percentile_ns(0.98), 10u);
    EXPECT_EQ(histogram.percentile_ns(0.99), 20u);
    // Its bucket ends at 1,015,807, but nothing was that slow.
    EXPECT_EQ(histogram.percentile_ns(0.999), 1'000'000u);
}

TEST(Histogram, APercentileBelowTheMaximumIsItsBucketsUpperBound) {
    Histogram histogram;
    histogram.add(64); // shares its bucket with 65
    histogram.add(1000);
    EXPECT_EQ(histogram.percentile_ns(0.5), 65u);
}

} // namespace
} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/call_times.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

auto at(double ms, double height) {
    return testing::AllOf(Field(&DistributionPoint::ms, DoubleNear(ms, 1e-12)),
                          Field(&DistributionPoint::height, DoubleNear(height, 1e-5)));
}

// 45 of 100 are at most 1 us, 90 at most 2 us, 99 at most 4 us; one took 8 us.
TEST(CallTimes, MostCallsAndTheSlowestAreBothSeen) {
    const Histogram histogram = {{1000, 45}, {2000, 45}, {3000, 0}, {4000, 9}, {8000, 1}};
    EXPECT_EQ(count_calls(histogram), 100u);
    EXPECT_THAT(distribution(histogram, 0), ElementsAre(at(0.001, 0), at(0.001, 1.5), at(0.002, 3),
                                                        at(0.004, 4), at(0.008, 4)));
}

TEST(CallTimes, TheScaleHasNoStepAtNinetyPercent) {
    EXPECT_DOUBLE_EQ(share_height(100, 100), 0);
    EXPECT_NEAR(share_height(10'001, 100'000), 3, 1e-4);
    EXPECT_NEAR(share_height(9'999, 100'000), 3, 1e-4);
    EXPECT_NEAR(share_height(1, 1'000), 5, 1e-12);
}

TEST(CallTimes, SmallRisesAreLeftOutButNeitherEnd) {
    const Histogram histogram = {{1000, 45}, {2000, 45}, {4000, 9}, {8000, 1}};
    EXPECT_THAT(distribution(histogram, 1.6),
                ElementsAre(at(0.001, 0), at(0.002, 3), at(0.008, 4)));
    EXPECT_THAT(distribution(histogram, 100), ElementsAre(at(0.001, 0), at(0.008, 4)));
}

TEST(CallTimes, OneCallAndNone) {
    EXPECT_THAT(distribution({{1000, 1}}, 0), ElementsAre(at(0.001, 0), at(0.001, 0)));
    EXPECT_THAT(distribution({{1000, 0}}, 0), IsEmpty());
    EXPECT_THAT(distribution({}, 0), IsEmpty());
}

// 1.8e19 calls, as many as the counters hold: no sum overflows on the way.
TEST(CallTimes, LargeCounts) {
    const std::uint64_t half = std::uint64_t{1} << 62;
    EXPECT_THAT(distribution({{1, half}, {2, half}}, 0),
                ElementsAre(at(1e-6, 0), at(1e-6, 1.66667), at(2e-6, 20.96489)));
}

} // namespace
} // namespace kmatrix

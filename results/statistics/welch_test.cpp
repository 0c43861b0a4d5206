// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/welch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace kmatrix::statistics {
namespace {

std::vector<double> logs(std::vector<double> values) {
    for (double& value : values)
        value = std::log(value);
    return values;
}

// R 4.2.2:
//   a <- log(c(0.39,0.41,0.38,0.40,0.42,0.37)); b <- log(c(0.115,0.117,0.112,0.121,0.119,0.114))
//   t <- t.test(b, a); c(t$stderr, t$parameter, t$p.value, t$conf.int)
//   t.test(b, a, conf.level=.9)$conf.int
TEST(Welch, OfLogsAgreesWithR) {
    const auto test = welch(logs({0.39, 0.41, 0.38, 0.40, 0.42, 0.37}),
                            logs({0.115, 0.117, 0.112, 0.121, 0.119, 0.114}));
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->difference, -1.2218299990012127, 1e-13);
    EXPECT_NEAR(test->standard_error, 0.022598836180543709, 1e-15);
    EXPECT_NEAR(test->degrees, 8.2045204826041687, 1e-10);
    EXPECT_NEAR(test->p(), 9.1007226505273243e-12, 1e-20);
    EXPECT_NEAR(test->interval(0.95).low, -1.2737177531332382, 1e-12);
    EXPECT_NEAR(test->interval(0.95).high, -1.1699422448691872, 1e-12);
    EXPECT_NEAR(test->interval(0.90).low, -1.2637182177409350, 1e-12);
    EXPECT_NEAR(test->interval(0.90).high, -1.1799417802614904, 1e-12);
}

// R 4.2.2: c1 <- c(5.1,4.9,5.6,5.8); c2 <- c(5.0,5.7,6.3,6.1,5.5,5.9,4.4); t.test(c2, c1)
TEST(Welch, OfUnequalSidesAgreesWithR) {
    const std::vector<double> c1{5.1, 4.9, 5.6, 5.8};
    const std::vector<double> c2{5.0, 5.7, 6.3, 6.1, 5.5, 5.9, 4.4};
    const auto test = welch(c1, c2);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->standard_error, 0.32704094898487118, 1e-14);
    EXPECT_NEAR(test->degrees, 8.75043910913115219, 1e-12);
    EXPECT_NEAR(test->p(), 0.54267971278977467, 1e-12);
    EXPECT_NEAR(test->interval(0.95).low, -0.53590400348086031, 1e-12);
    EXPECT_NEAR(test->interval(0.95).high, 0.95018971776657501, 1e-12);
    EXPECT_NEAR(test->interval(0.90).high, 0.80859832290522060, 1e-12);
}

TEST(Welch, OneBootHasNoVarianceToTestWith) {
    const std::vector<double> one{1};
    const std::vector<double> two{1, 2};
    EXPECT_FALSE(welch(one, two));
    EXPECT_FALSE(welch(two, one));
    EXPECT_FALSE(welch({}, two));
    EXPECT_FALSE(welch({}, {}));
}

TEST(Welch, NoVarianceGivesPointsAndCertainty) {
    const std::vector<double> ones(4, 0.1);
    const std::vector<double> twos(4, 0.2);
    const auto different = welch(ones, twos);
    ASSERT_TRUE(different);
    EXPECT_EQ(different->standard_error, 0);
    EXPECT_EQ(different->p(), 0);
    EXPECT_EQ(different->p(0.1), 1);
    EXPECT_EQ(different->interval(0.95).low, 0.1);
    EXPECT_EQ(different->interval(0.95).high, 0.1);
    const auto same = welch(ones, ones);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->p(), 1);
    EXPECT_EQ(equivalence_p(*same, 0.05), 0);
    EXPECT_EQ(equivalence_p(*different, 0.05), 1);
}

// No variance on one side only: by hand, SE^2 = (1/4)/4 where the other side has variance 1/4, and
// the degrees of freedom are that side's own, 3.
TEST(Welch, NoVarianceOnOneSideLeavesTheOther) {
    const std::vector<double> constant(4, 1.0);
    const std::vector<double> others{1, 2, 1, 2}; // variance 1/3
    const auto test = welch(constant, others);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->standard_error, std::sqrt((1.0 / 3) / 4), 1e-15);
    EXPECT_NEAR(test->degrees, 3, 1e-12);
}

// By hand: floors 0.04 and 0.12 over four values each, SE^2 = 0.01 + 0.03.
TEST(Welch, RoundingIsAVarianceThatNoSideIsBelow) {
    const std::vector<double> equal(4, 1.0);
    const auto test = welch(equal, equal, 0.04, 0.12);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->standard_error, 0.2, 1e-15);
    EXPECT_NEAR(test->degrees, 0.0016 / (0.0001 / 3 + 0.0009 / 3), 1e-12);
}

// R 4.2.2:
//   x <- log(c(1.00,1.01,0.99,1.02,1.00,0.98)); y <- log(c(1.01,1.00,1.02,1.01,0.99,1.03))
//   t.test(y, x, mu=-log(1.05), alternative="greater")$p.value
//   t.test(y, x, mu=log(1.05), alternative="less")$p.value
TEST(Equivalence, AgreesWithR) {
    const auto test = welch(logs({1.00, 1.01, 0.99, 1.02, 1.00, 0.98}),
                            logs({1.01, 1.00, 1.02, 1.01, 0.99, 1.03}));
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p_above(-std::log(1.05)), 1.4143094699802433e-05, 1e-15);
    EXPECT_NEAR(test->p_below(std::log(1.05)), 3.7316256310270429e-04, 1e-14);
    EXPECT_NEAR(equivalence_p(*test, std::log(1.05)), 3.7316256310270429e-04, 1e-14);
    EXPECT_NEAR(test->interval(0.9).low, -0.0047757482094461685, 1e-14);
    EXPECT_NEAR(test->interval(0.9).high, 0.0246796950135234963, 1e-14);
}

TEST(Equivalence, IsTheNinetyPercentIntervalWithinTheMargin) {
    const std::vector<double> a{0.00, 0.02, 0.01, 0.03};
    const std::vector<double> b{0.02, 0.03, 0.01, 0.04};
    const auto test = welch(a, b);
    ASSERT_TRUE(test);
    const double edge = test->interval(0.9).high;
    EXPECT_GT(edge, -test->interval(0.9).low);
    EXPECT_LT(equivalence_p(*test, edge + 1e-9), 0.05);
    EXPECT_GT(equivalence_p(*test, edge - 1e-9), 0.05);
}

} // namespace
} // namespace kmatrix::statistics

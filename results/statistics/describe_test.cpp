// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/describe.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

namespace kmatrix::statistics {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<double> digits{3, 1, 4, 1, 5, 9, 2, 6};

// R 4.2.2: d <- c(3,1,4,1,5,9,2,6); c(mean(d), var(d), median(d), mad(d, constant=1))
//   3.875  7.553571428571429  3.5  2
TEST(Describe, AgreesWithR) {
    EXPECT_DOUBLE_EQ(mean(digits), 3.875);
    EXPECT_DOUBLE_EQ(variance(digits), 7.5535714285714288);
    EXPECT_DOUBLE_EQ(median(digits), 3.5);
    EXPECT_DOUBLE_EQ(median_absolute_deviation(digits), 2);
}

// R 4.2.2: quantile(d, c(0, .1, .25, .5, .9, .99, 1))
//   1  1  1.75  3.5  6.9  8.79  9
TEST(Describe, QuantilesAreTypeSeven) {
    EXPECT_DOUBLE_EQ(quantile(digits, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(digits, 0.1), 1);
    EXPECT_DOUBLE_EQ(quantile(digits, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantile(digits, 0.9), 6.9);
    EXPECT_DOUBLE_EQ(quantile(digits, 0.99), 8.79);
    EXPECT_DOUBLE_EQ(quantile(digits, 1), 9);
}

TEST(Describe, OfNothingIsNaN) {
    const std::vector<double> none;
    EXPECT_TRUE(std::isnan(mean(none)));
    EXPECT_TRUE(std::isnan(median(none)));
    EXPECT_TRUE(std::isnan(quantile(none, 0.9)));
    EXPECT_TRUE(std::isnan(variance(none)));
    EXPECT_TRUE(std::isnan(median_absolute_deviation(none)));
    EXPECT_THAT(outliers(none), IsEmpty());
    EXPECT_EQ(unit_of(none), 0);
}

TEST(Describe, OneValueHasNoVariance) {
    const std::vector<double> one{0.132};
    EXPECT_EQ(mean(one), 0.132);
    EXPECT_EQ(median(one), 0.132);
    EXPECT_EQ(quantile(one, 0.99), 0.132);
    EXPECT_TRUE(std::isnan(variance(one)));
}

// Ten times 0.1 summed is not 1 in doubles; the variance must be zero all the same.
TEST(Describe, EqualValuesHaveExactlyNoVariance) {
    const std::vector<double> equal(10, 0.1);
    EXPECT_EQ(mean(equal), 0.1);
    EXPECT_EQ(variance(equal), 0);
}

// By hand: median 1.015, deviations .015 .005 .025 .005 .015 and 3.985; their median .015; 3.5
// times .015/.6745 is .0778.
TEST(Outliers, OneHungBootStandsApart) {
    EXPECT_THAT(outliers(std::vector<double>{1.00, 1.02, 0.99, 1.01, 1.03, 5.0}), ElementsAre(5));
    EXPECT_THAT(outliers(std::vector<double>{1.00, 1.02, 0.99, 1.01, 1.03, 1.05}), IsEmpty());
}

// Median absolute deviation 0; mean absolute deviation (1/9 of .5) times 1.2533 times 3.5 is .244.
TEST(Outliers, AmongTiesAreMeasuredByTheMeanDeviation) {
    const std::vector<double> ties{1, 1, 1, 1, 1, 1, 1, 1, 1.5};
    EXPECT_THAT(outliers(ties), ElementsAre(8));
    EXPECT_THAT(outliers(std::vector<double>(9, 1.0)), IsEmpty());
}

TEST(Outliers, ThreeValuesCannotTell) {
    EXPECT_THAT(outliers(std::vector<double>{1, 1, 100}), IsEmpty());
}

TEST(Unit, IsWhatFiguresWereRoundedTo) {
    EXPECT_DOUBLE_EQ(unit_of(std::vector<double>{0.132, 0.121, 2.6}), 0.001);
    EXPECT_DOUBLE_EQ(unit_of(std::vector<double>{0.006, 0.000}), 0.001);
    EXPECT_DOUBLE_EQ(unit_of(std::vector<double>{12, 7, 0}), 1);
    EXPECT_DOUBLE_EQ(unit_of(std::vector<double>{0.000123, 1.5}), 1e-6);
}

TEST(Unit, OfFullDoublesIsNone) {
    EXPECT_EQ(unit_of(std::vector<double>{1.0 / 3, 0.132}), 0);
    EXPECT_EQ(unit_of(std::vector<double>{1e13}), 0);
    EXPECT_EQ(unit_of(std::vector<double>{0, 0}), 0);
    EXPECT_EQ(unit_of(std::vector<double>{std::numeric_limits<double>::infinity()}), 0);
}

} // namespace
} // namespace kmatrix::statistics

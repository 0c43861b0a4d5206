// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/axis.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {
using testing::Ge;
using testing::SizeIs;

TEST(Axis, ManyDecadesAreMarkedAtPowersOfTen) {
    const Axis axis = log_axis({0.002, 50});
    // 25000 to the power of 0.06 is 1.836
    EXPECT_NEAR(axis.low, 0.002 / 1.836, 1e-6);
    EXPECT_NEAR(axis.high, 50 * 1.836, 0.01);
    EXPECT_EQ(time_tics(axis), "(\"10 µs\" 0.01, \"100 µs\" 0.1, \"1 ms\" 1, \"10 ms\" 10)");
}

TEST(Axis, FewDecadesAtOneTwoFive) {
    EXPECT_EQ(number_tics(log_axis({0.031, 1.05})),
              "(\"0.05\" 0.05, \"0.1\" 0.1, \"0.2\" 0.2, \"0.5\" 0.5, \"1\" 1)");
}

TEST(Axis, LessThanAFactorOfEightAtEvenSteps) {
    EXPECT_EQ(number_tics(log_axis({0.95, 1.05})), "(\"0.95\" 0.95, \"1\" 1, \"1.05\" 1.05)");
    EXPECT_EQ(number_tics(log_axis({0.8, 3.1})), "(\"1\" 1, \"2\" 2, \"3\" 3)");
}

TEST(Axis, OneValueAndNoValueHaveAnAxisToo) {
    for (const std::vector<double>& values :
         {std::vector<double>{3.0}, std::vector<double>{},
          std::vector<double>{0, -1, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()},
          std::vector<double>{1e-300, 1e300}}) {
        const Axis axis = log_axis(values);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_TRUE(std::isfinite(axis.high));
        EXPECT_THAT(axis.marks, SizeIs(Ge(2)));
    }
}

TEST(Axis, TimesHaveTheUnitThatFits) {
    EXPECT_EQ(time_label(0.00002), "20 ns");
    EXPECT_EQ(time_label(0.0015), "1.5 µs");
    EXPECT_EQ(time_label(1), "1 ms");
    EXPECT_EQ(time_label(2000), "2 s");
}

} // namespace
} // namespace kmatrix

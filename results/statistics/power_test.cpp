// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/power.h"

#include <cmath>

#include <gtest/gtest.h>

namespace kmatrix::statistics {
namespace {

const double five_percent = std::log(1.05);

// R 4.2.2: power.t.test(delta=log(1.05), sd=s, power=.8)$n
//   s = .03: 7.038218316231486860   .1: 66.91771585012381   .01: 2.143881665034336   .3: 594.4549
TEST(CountToSee, IsRsRoundedUp) {
    EXPECT_EQ(count_to_see(five_percent, 0.03), 8);
    EXPECT_EQ(count_to_see(five_percent, 0.1), 67);
    EXPECT_EQ(count_to_see(five_percent, 0.01), 3);
    EXPECT_EQ(count_to_see(five_percent, 0.3), 595);
    // power.t.test(delta=log(1.05), sd=.03, power=.9)$n = 9.0235110697980421
    EXPECT_EQ(count_to_see(five_percent, 0.03, 0.9), 10);
    EXPECT_EQ(count_to_see(-five_percent, 0.03), 8);
}

TEST(CountToSee, WithoutNoiseTwoAreEnoughAndWithoutADifferenceNoneAre) {
    EXPECT_EQ(count_to_see(five_percent, 0), 2);
    EXPECT_EQ(count_to_see(five_percent, 1e-9), 2);
    EXPECT_EQ(count_to_see(0, 0.1), std::nullopt);
    EXPECT_EQ(count_to_see(five_percent, 100), std::nullopt);
}

// R 4.2.2: power.t.test(delta=log(1.05), sd=.03, n=6)$power = 0.71900766344007028
//          power.t.test(delta=log(1.2), sd=.03, n=6)$power = 0.99999999999988654
TEST(Power, AgreesWithR) {
    EXPECT_NEAR(power_of(6, five_percent, 0.03), 0.71900766344007028, 1e-6);
    EXPECT_NEAR(power_of(6, std::log(1.2), 0.03), 0.99999999999988654, 1e-9);
}

} // namespace
} // namespace kmatrix::statistics

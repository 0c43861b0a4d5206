// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/rate.h"

#include <gtest/gtest.h>

namespace kmatrix::statistics {
namespace {

// R 4.2.2: binom.test(k, n)$conf.int
TEST(ClopperPearson, AgreesWithR) {
    EXPECT_NEAR(clopper_pearson(3, 41).low, 0.015351471533416655, 1e-12);
    EXPECT_NEAR(clopper_pearson(3, 41).high, 0.199245978376662913, 1e-12);
    EXPECT_NEAR(clopper_pearson(50, 100).low, 0.39832112950330101, 1e-12);
    EXPECT_NEAR(clopper_pearson(50, 100).high, 0.60167887049669899, 1e-12);
    EXPECT_EQ(clopper_pearson(0, 200).low, 0);
    EXPECT_NEAR(clopper_pearson(0, 200).high, 0.018275340355136227, 1e-12);
    EXPECT_NEAR(clopper_pearson(7, 7).low, 0.59038360277499657, 1e-12);
    EXPECT_EQ(clopper_pearson(7, 7).high, 1);
}

TEST(ClopperPearson, OfNoTrialsKnowsNothing) {
    EXPECT_EQ(clopper_pearson(0, 0).low, 0);
    EXPECT_EQ(clopper_pearson(0, 0).high, 1);
}

// R 4.2.2: 1 - .05^(1/200) = 0.014867039231272083, which is binom.test(0, 200, alternative="less").
TEST(Rate, OfNothingIsBoundedFromOneSide) {
    EXPECT_EQ(rate(0, 200).bounds.low, 0);
    EXPECT_NEAR(rate(0, 200).bounds.high, 0.014867039231272083, 1e-12);
    EXPECT_EQ(rate(200, 200).bounds.high, 1);
    EXPECT_NEAR(rate(200, 200).bounds.low, 1 - 0.014867039231272083, 1e-12);
    EXPECT_NEAR(rate(3, 41).bounds.high, 0.199245978376662913, 1e-12);
}

TEST(Rate, IsReadAsAPersonWouldSayIt) {
    EXPECT_EQ(text(rate(0, 200)), "0 of 200, below 1.5 % at 95 %");
    EXPECT_EQ(text(rate(3, 41)), "3 of 41, 1.5 % to 20 % at 95 %");
    EXPECT_EQ(text(rate(7, 7)), "7 of 7, above 65 % at 95 %");
    EXPECT_EQ(text(rate(0, 0)), "not run");
}

// R 4.2.2: f <- function(ba, bg, pa, pg)
//     fisher.test(matrix(c(pa, pg, ba, bg), 2, byrow=T), alternative="greater")$p.value
//   c(f(0,200,5,195), f(1,2,3,0), f(0,2,1,1), f(0,10,4,6), f(3,7,0,10))
//   0.030469751204206991 0.2 0.5 0.043343653250774015 1
TEST(Fisher, AgreesWithR) {
    EXPECT_NEAR(fisher_greater_p(0, 200, 5, 200), 0.030469751204206991, 1e-12);
    EXPECT_NEAR(fisher_greater_p(1, 3, 3, 3), 0.2, 1e-12);
    EXPECT_NEAR(fisher_greater_p(0, 2, 1, 2), 0.5, 1e-12);
    EXPECT_NEAR(fisher_greater_p(0, 10, 4, 10), 0.043343653250774015, 1e-12);
    EXPECT_NEAR(fisher_greater_p(3, 10, 0, 10), 1, 1e-12);
}

TEST(Fisher, WithoutTrialsSaysNothing) {
    EXPECT_EQ(fisher_greater_p(0, 0, 3, 3), 1);
    EXPECT_EQ(fisher_greater_p(0, 3, 0, 0), 1);
    EXPECT_EQ(fisher_greater_p(0, 3, 0, 3), 1);
    EXPECT_EQ(fisher_greater_p(3, 3, 3, 3), 1);
}

} // namespace
} // namespace kmatrix::statistics

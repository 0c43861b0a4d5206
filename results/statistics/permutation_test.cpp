// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/permutation.h"

#include <vector>

#include <gtest/gtest.h>

namespace kmatrix::statistics {
namespace {

// R 4.2.2:
//   perm <- function(a, b) { z <- c(a, b); o <- abs(mean(b) - mean(a))
//     k <- combn(length(z), length(a))
//     s <- apply(k, 2, function(i) abs(mean(z[-i]) - mean(z[i]))); mean(s >= o - 1e-12) }
//   c(perm(c1, c2), perm(c(1,2,2,3), c(2,2,3,3,4)), perm(c(1,3,2,5), c(4,6,5,7)))
//   0.6181818181818181657 0.2857142857142856984 0.0857142857142857151
// with c1 and c2 as in welch_test.cpp.
TEST(Permutation, AgreesWithR) {
    const std::vector<double> c1{5.1, 4.9, 5.6, 5.8};
    const std::vector<double> c2{5.0, 5.7, 6.3, 6.1, 5.5, 5.9, 4.4};
    EXPECT_NEAR(permutation_test(c1, c2)->p, 0.6181818181818182, 1e-14);
    const std::vector<double> d1{1, 3, 2, 5};
    const std::vector<double> d2{4, 6, 5, 7};
    EXPECT_NEAR(permutation_test(d1, d2)->p, 0.0857142857142857, 1e-14);
    EXPECT_TRUE(permutation_test(d1, d2)->exact);
}

TEST(Permutation, TiesCountAsAtLeastAsLarge) {
    const std::vector<double> a{1, 2, 2, 3};
    const std::vector<double> b{2, 2, 3, 3, 4};
    EXPECT_NEAR(permutation_test(a, b)->p, 0.2857142857142857, 1e-14);
    // The same, with values whose sums differ in their last bits.
    const std::vector<double> tenths_a{0.1, 0.2, 0.2, 0.3};
    const std::vector<double> tenths_b{0.2, 0.2, 0.3, 0.3, 0.4};
    EXPECT_NEAR(permutation_test(tenths_a, tenths_b)->p, 0.2857142857142857, 1e-14);
}

// 2/C(2B, B) for B of 3, 4, 5 and 6: 2/20, 2/70, 2/252, 2/924.
TEST(Permutation, SeparateSidesGiveTheSmallestP) {
    std::vector<double> low{1, 2};
    std::vector<double> high{101, 102};
    for (const double expected : {2.0 / 20, 2.0 / 70, 2.0 / 252, 2.0 / 924}) {
        low.push_back(low.back() + 1);
        high.push_back(high.back() + 1);
        EXPECT_NEAR(permutation_test(low, high)->p, expected, 1e-15);
        EXPECT_NEAR(smallest_permutation_p(low.size(), high.size()), expected, 1e-15);
    }
}

TEST(Permutation, OfUnequalSidesHasNoMirrorImage) {
    EXPECT_NEAR(smallest_permutation_p(4, 7), 1.0 / 330, 1e-15);
    const std::vector<double> low{1, 2, 3};
    const std::vector<double> high{100, 101};
    EXPECT_NEAR(permutation_test(low, high)->p, smallest_permutation_p(3, 2), 1e-15);
}

TEST(Permutation, EqualValuesSayNothing) {
    const std::vector<double> equal(5, 0.1);
    EXPECT_EQ(permutation_test(equal, equal)->p, 1);
}

TEST(Permutation, OneBootSaysNothingAndNoneIsNone) {
    const std::vector<double> one{1};
    const std::vector<double> other{9};
    EXPECT_EQ(permutation_test(one, other)->p, 1);
    EXPECT_EQ(smallest_permutation_p(1, 1), 1);
    EXPECT_FALSE(permutation_test(one, {}));
    EXPECT_FALSE(permutation_test({}, one));
    EXPECT_EQ(smallest_permutation_p(0, 6), 1);
}

// 9 + 9 has 48,620 ways, 10 + 10 has 184,756.
TEST(Permutation, DrawsWhereTheWaysAreTooMany) {
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 9; ++i) {
        a.push_back(i);
        b.push_back(i + 2.5);
    }
    const auto exact = permutation_test(a, b);
    EXPECT_TRUE(exact->exact);
    a.push_back(9);
    b.push_back(11.5);
    const auto drawn = permutation_test(a, b, 7);
    EXPECT_FALSE(drawn->exact);
    // R 4.2.2: perm(0:9, 0:9 + 2.5) = 0.088495096235034321; four standard errors of 100,000 draws
    // are 0.0036.
    EXPECT_NEAR(drawn->p, 0.0884951, 0.0036);
    EXPECT_EQ(drawn->p, permutation_test(a, b, 7)->p);
    EXPECT_NE(drawn->p, permutation_test(a, b, 8)->p);
}

TEST(Permutation, DrawnPIsNeverZero) {
    const std::vector<double> low(20, 1.0);
    std::vector<double> high;
    for (int i = 0; i < 20; ++i)
        high.push_back(100 + i);
    EXPECT_NEAR(permutation_test(low, high)->p, 1.0 / 100'001, 1e-15);
}

} // namespace
} // namespace kmatrix::statistics

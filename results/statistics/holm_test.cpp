// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/holm.h"

#include <vector>

#include <gmock/gmock.h>

namespace kmatrix::statistics {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

// R 4.2.2: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2), "holm") = 0.04 0.09 0.09 0.025 0.2
TEST(Holm, AgreesWithR) {
    EXPECT_THAT(holm(std::vector<double>{0.01, 0.04, 0.03, 0.005, 0.2}),
                ElementsAre(DoubleEq(0.04), DoubleEq(0.09), DoubleEq(0.09), DoubleEq(0.025),
                            DoubleEq(0.2)));
    // R 4.2.2: p.adjust(c(0.03, 0.6, 0.7), "holm") = 0.09 1 1
    EXPECT_THAT(holm(std::vector<double>{0.03, 0.6, 0.7}),
                ElementsAre(DoubleEq(0.09), DoubleEq(1), DoubleEq(1)));
}

TEST(Holm, OneQuestionIsNotAdjusted) {
    EXPECT_THAT(holm(std::vector<double>{0.04}), ElementsAre(DoubleEq(0.04)));
    EXPECT_THAT(holm({}), IsEmpty());
}

TEST(Holm, TiesStayTied) {
    EXPECT_THAT(holm(std::vector<double>{0.02, 0.02}), ElementsAre(DoubleEq(0.04), DoubleEq(0.04)));
}

} // namespace
} // namespace kmatrix::statistics

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/bisect.h"

#include <vector>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct SomePatches {
    int patches = 0;
    int first_bad = 0;
    std::vector<int> asked;

    Result<BisectStep> step(int n) {
        asked.push_back(n);
        return BisectStep{n, n >= first_bad, "fails at " + std::to_string(n)};
    }
    Result<Bisected> bisected() {
        return bisect({patches, true, "fails at the end"}, [this](int n) { return step(n); });
    }
};

TEST(Bisect, FindsEveryPatchOfEverySeries) {
    for (int patches = 1; patches <= 20; ++patches)
        for (int first_bad = 1; first_bad <= patches; ++first_bad) {
            SomePatches series{patches, first_bad, {}};
            const auto found = series.bisected();
            ASSERT_TRUE(found);
            EXPECT_EQ(found->first_bad, first_bad) << patches;
            // 2^5 = 32 > 20
            EXPECT_LE(series.asked.size(), 5u);
        }
}

TEST(Bisect, OnePatchNeedsNoStep) {
    SomePatches series{1, 1, {}};
    EXPECT_EQ(series.bisected()->line, "fails at the end");
    EXPECT_THAT(series.asked, IsEmpty());
}

TEST(Bisect, TheLineIsThatOfTheFirstBadStep) {
    SomePatches series{4, 2, {}};
    EXPECT_EQ(series.bisected()->line, "fails at 2");
    EXPECT_THAT(series.asked, ElementsAre(2, 1));
}

TEST(Bisect, AnErrorEndsIt) {
    int asked = 0;
    const auto found = bisect({8, true, ""}, [&](int) -> Result<BisectStep> {
        ++asked;
        return infrastructure_error("no disk");
    });
    EXPECT_EQ(found.error().message, "no disk");
    EXPECT_EQ(asked, 1);
}

} // namespace
} // namespace kmatrix

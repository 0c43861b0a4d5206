// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;

TEST(MatchPattern, MatchesLiteralsAtTheStart) {
    EXPECT_TRUE(match_pattern("BUG: gizmo", "BUG: gizmo and more"));
    EXPECT_FALSE(match_pattern("BUG: gizmo", "a BUG: gizmo"));
    EXPECT_FALSE(match_pattern("BUG: gizmo", "BUG: giz"));
}

TEST(MatchPattern, CapturesWordsAndText) {
    const auto match = match_pattern("BUG %w (%_): %t", "BUG gizmo-8 (Not tainted): torn apart ");
    ASSERT_TRUE(match);
    EXPECT_THAT(match->texts, ElementsAre("gizmo-8", "torn apart"));
}

TEST(MatchPattern, WordsGoUpToTheLastOfWhatFollows) {
    const auto match = match_pattern("at %w:%d now", "at a:b:12 now");
    ASSERT_TRUE(match);
    EXPECT_THAT(match->texts, ElementsAre("a:b"));
}

TEST(MatchPattern, CapturesFunctions) {
    const auto match = match_pattern("race in %f / %f", "race in one+0x1/0x2 [gizmo] / two");
    EXPECT_FALSE(match); // a module is no part of the pattern
    const auto plain = match_pattern("race in %f / %f", "race in one+0x1/0x2 / two");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->functions.at(0).name, "one");
    EXPECT_EQ(plain->functions.at(1).name, "two");
}

TEST(MatchPattern, ReadsNumbers) {
    EXPECT_TRUE(match_pattern("CPU%d", "CPU12"));
    EXPECT_FALSE(match_pattern("CPU%d", "CPUx"));
    for (const auto* text :
         {"at 0x1f.", "at ffff0000.", "at (ptrval).", "at (____ptrval____).", "at (null)."}) {
        EXPECT_TRUE(match_pattern("at %x.", text)) << text;
    }
    EXPECT_FALSE(match_pattern("at %x.", "at (gizmo)."));
    EXPECT_FALSE(match_pattern("at %x.", "at (ptrval"));
}

TEST(MatchPattern, EndsWithTheText) {
    EXPECT_FALSE(match_pattern("a %t b", "a c"));
    EXPECT_FALSE(match_pattern("a %w", "a "));
    EXPECT_TRUE(match_pattern("a %t", "a "));
}

} // namespace
} // namespace kmatrix

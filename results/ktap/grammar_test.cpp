// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/grammar.h"

#include <gtest/gtest.h>

namespace kmatrix::ktap {
namespace {

TEST(PlanLine, HasACountAndPerhapsAReason) {
    EXPECT_EQ(read_plan("1..4")->count, 4u);
    EXPECT_EQ(read_plan("1..4")->skip, std::nullopt);
    EXPECT_EQ(read_plan("1..0 # SKIP no device")->skip, "no device");
    EXPECT_EQ(read_plan("1..0 # skipped: no device")->skip, "no device");
    EXPECT_EQ(read_plan("1..0 # SKIP")->skip, "");
    EXPECT_EQ(read_plan("1..0")->skip, std::nullopt);
    for (const char* line : {"1..", "1..x", "1..4 items", "2..4", "1.4"})
        EXPECT_FALSE(read_plan(line)) << line;
}

TEST(Grammar, KnowsTheOtherLines) {
    EXPECT_TRUE(is_version("TAP version 13"));
    EXPECT_TRUE(is_version("KTAP version 2"));
    EXPECT_FALSE(is_version("TAP version"));
    EXPECT_FALSE(is_version("TAP version 13 is old"));
    EXPECT_EQ(read_bail_out("Bail out! no memory"), "no memory");
    EXPECT_EQ(read_bail_out("bail out!"), "");
    EXPECT_FALSE(read_bail_out("Bail out"));
    EXPECT_EQ(read_header("selftests: proc: read"), "proc: read");
    EXPECT_FALSE(read_header("selftests: test_meta [PASS]"));
    EXPECT_FALSE(read_header("selftests: proc: read done"));
    EXPECT_EQ(read_subtest("Subtest: suite"), "suite");
    EXPECT_FALSE(read_subtest("Subtest:"));
    EXPECT_EQ(read_planned_run("Planned tests != run tests (4 != 3)")->planned, 4u);
    EXPECT_EQ(read_planned_run("Planned tests != run tests (4 != 3)")->run, 3u);
    EXPECT_FALSE(read_planned_run("Planned tests != run tests (4 != x)"));
}

TEST(TotalsLine, AddsUp) {
    const auto now = read_totals("Totals: pass:5 fail:1 xfail:2 xpass:0 skip:2 error:3");
    ASSERT_TRUE(now);
    EXPECT_EQ(now->all, 13u);
    EXPECT_EQ(now->failed, 4u);
    const auto before = read_totals("Pass 5 Fail 1 Xfail 0 Xpass 0 Skip 2 Error 0");
    ASSERT_TRUE(before);
    EXPECT_EQ(before->all, 8u);
    const auto kunit = read_totals("Totals: pass:2 fail:0 skip:1 total:3");
    ASSERT_TRUE(kunit);
    EXPECT_EQ(kunit->all, 3u);
    for (const char* line : {"PASS:174 SKIP:0 FAIL:0", "Pass 3 tests", "Totals: pass:x",
                             "Totals:", "suite: pass:2 fail:0 skip:0 total:2"})
        EXPECT_FALSE(read_totals(line)) << line;
}

} // namespace
} // namespace kmatrix::ktap

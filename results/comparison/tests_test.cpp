// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/tests.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using hand_built::x86;

using hand_built::subtest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Tests : testing::Test {
    Tests() : run(hand_built::run({cell()})) {
        hand_built::boot(run, Kernel::baseline, x86);
        hand_built::boot(run, Kernel::patched, x86);
    }
    static Cell cell() {
        Cell cell = hand_built::cell();
        cell.selftests.push_back(hand_built::selftest());
        return cell;
    }
    BootResult& baseline() { return run.boots.front(); }
    BootResult& patched() { return run.boots.at(1); }
    std::vector<TestComparison> compare() const { return compare_tests(run, compare_builds(run)); }
    TestComparison one() const {
        const auto tests = compare();
        EXPECT_THAT(tests, SizeIs(1));
        return tests.at(0);
    }
    // One program that runs once on either side.
    TestComparison once(Status on_baseline, Status on_patched,
                        const std::string& reason = "exit 1") {
        hand_built::test(baseline(), "read", on_baseline,
                         on_baseline == Status::pass ? "" : reason);
        hand_built::test(patched(), "read", on_patched, on_patched == Status::pass ? "" : reason);
        return one();
    }
    RunResult run;
};

TEST_F(Tests, NoneAreNone) {
    EXPECT_THAT(compare(), IsEmpty());
}

TEST_F(Tests, Passes) {
    const TestComparison test = once(Status::pass, Status::pass);
    EXPECT_EQ(test.verdict, TestVerdict::passes);
    EXPECT_EQ(name(test), "proc: read");
    EXPECT_EQ(test.why, "");
    EXPECT_EQ(test.side.patched.seconds, 2);
    EXPECT_TRUE(test.counted);
    EXPECT_FALSE(test.emulated);
}

TEST_F(Tests, PassToFailIsRegressed) {
    const TestComparison test = once(Status::pass, Status::fail);
    EXPECT_EQ(test.verdict, TestVerdict::regressed);
    EXPECT_EQ(test.why, "exit 1");
    EXPECT_EQ(test.side.patched.boot, patched().id);
}

TEST_F(Tests, PassToTimeoutIsRegressed) {
    EXPECT_EQ(once(Status::pass, Status::timeout).verdict, TestVerdict::regressed);
}

TEST_F(Tests, FailToPassIsFixed) {
    EXPECT_EQ(once(Status::fail, Status::pass).verdict, TestVerdict::fixed);
}

TEST_F(Tests, FailToFailFails) {
    EXPECT_EQ(once(Status::fail, Status::timeout).verdict, TestVerdict::fails);
}

TEST_F(Tests, ExpectedFailuresPass) {
    EXPECT_EQ(once(Status::xfail, Status::xpass).verdict, TestVerdict::passes);
}

TEST_F(Tests, PassToMissingIsMissing) {
    const TestComparison test = once(Status::pass, Status::missing, "");
    EXPECT_EQ(test.verdict, TestVerdict::missing);
    EXPECT_EQ(test.why, "never reported");
    EXPECT_EQ(test.side.patched.missing, 1);
}

TEST_F(Tests, AnAbsentRunIsMissingToo) {
    hand_built::test(baseline(), "read", Status::pass);
    EXPECT_EQ(one().verdict, TestVerdict::missing);
}

TEST_F(Tests, MissingOnBothIsMissing) {
    EXPECT_EQ(once(Status::missing, Status::missing, "not built: read.c:1: error").verdict,
              TestVerdict::missing);
    EXPECT_EQ(one().why, "missing on both: not built: read.c:1: error");
}

TEST_F(Tests, SkippedSaysWhy) {
    const TestComparison test = once(Status::skip, Status::skip, "no NUMA");
    EXPECT_EQ(test.verdict, TestVerdict::skipped);
    EXPECT_EQ(test.why, "no NUMA");
}

TEST_F(Tests, PassToSkipIsSkippedAndSaysSo) {
    EXPECT_EQ(once(Status::pass, Status::skip, "no such file").verdict, TestVerdict::skipped);
    EXPECT_EQ(one().why, "no such file; it passes on baseline");
}

TEST_F(Tests, WhatBaselineDoesNotReportIsNew) {
    hand_built::test(patched(), "new", Status::pass);
    EXPECT_EQ(one().verdict, TestVerdict::appeared);
    EXPECT_EQ(one().why, "baseline does not report it");
}

TEST_F(Tests, WhatBaselineSkipsIsNew) {
    EXPECT_EQ(once(Status::skip, Status::fail).verdict, TestVerdict::appeared);
    EXPECT_EQ(one().why, "baseline skips it; it fails: exit 1");
}

TEST_F(Tests, AProgramsLastWordIsTheLine) {
    hand_built::test(baseline(), "read", Status::pass);
    hand_built::test(patched(), "read", Status::fail, "killed by SIGABRT").output_tail =
        "read: begins\nread: read.c:77: main: Assertion `rv == 0' failed.\n\n";
    EXPECT_EQ(one().why, "killed by SIGABRT: read: read.c:77: main: Assertion `rv == 0' failed.");
    EXPECT_THAT(one().side.patched.lines, SizeIs(4));
}

TEST_F(Tests, APanicLeavesTestsMissingAndSaysWhy) {
    hand_built::test(baseline(), "read", Status::pass);
    hand_built::test(patched(), "read", Status::missing);
    patched().outcome = Panicked{"bad"};
    EXPECT_EQ(one().verdict, TestVerdict::missing);
    EXPECT_EQ(one().why, "the boot panicked: bad");
}

TEST_F(Tests, WithoutABootOfBaselineNothingIsCompared) {
    hand_built::test(baseline(), "read", Status::missing);
    hand_built::test(patched(), "read", Status::pass);
    baseline().outcome = Panicked{"bad"};
    EXPECT_EQ(one().verdict, TestVerdict::not_compared);
    EXPECT_EQ(one().why, "baseline's boot panicked: bad");
    run.boots.erase(run.boots.begin());
    EXPECT_EQ(one().verdict, TestVerdict::not_compared);
    hand_built::break_build(run, Kernel::baseline, "no");
    EXPECT_EQ(one().why, "baseline did not build");
}

TEST_F(Tests, WithoutABootOfPatchedNothingIsCompared) {
    hand_built::test(baseline(), "read", Status::pass);
    run.boots.pop_back();
    EXPECT_EQ(one().verdict, TestVerdict::not_compared);
    EXPECT_EQ(one().why, "patched did not get to run it");
}

TEST_F(Tests, WhatAnExcusedBootDidNotGetToIsNotMissing) {
    run.matrix.cells[0].axes.vcpus = 24;
    hand_built::test(baseline(), "read", Status::pass);
    hand_built::test(patched(), "read", Status::missing);
    patched().outcome = Hung{900};
    patched().machine.accel = Accel::tcg;
    patched().findings = {hand_built::finding("hang", "rcu stall in f")};
    EXPECT_EQ(one().verdict, TestVerdict::not_compared);
    EXPECT_TRUE(one().emulated);
}

TEST_F(Tests, SeriesThatWeakensItsTestIsCaughtByBaselinesOwn) {
    for (BootResult* boot : {&baseline(), &patched()})
        hand_built::test(*boot, "race", Status::pass);
    hand_built::test(baseline(), "race", Status::pass).origin = Kernel::baseline;
    hand_built::test(patched(), "race", Status::fail, "exit 1").origin = Kernel::baseline;
    const auto tests = compare();
    ASSERT_THAT(tests, SizeIs(2));
    EXPECT_EQ(tests[0].verdict, TestVerdict::passes);
    EXPECT_EQ(tests[1].verdict, TestVerdict::regressed);
    EXPECT_EQ(name(tests[1]), "proc: race (baseline's)");
}

TEST_F(Tests, OneImageOnBothSidesIsChance) {
    hand_built::make_images_equal(run);
    EXPECT_EQ(once(Status::pass, Status::fail).verdict, TestVerdict::flaky);
    EXPECT_THAT(one().why, HasSubstr("same kernel image"));
}

// ---- repeated runs

TEST_F(Tests, OneFailureOfTwoIsFlakyAndKeepsItsRate) {
    for (int i = 0; i < 2; ++i) {
        hand_built::test(baseline(), "race", Status::pass);
        hand_built::test(patched(), "race", i == 0 ? Status::fail : Status::pass, "exit 1");
    }
    const TestComparison test = one();
    EXPECT_EQ(test.verdict, TestVerdict::flaky);
    EXPECT_EQ(test.why,
              "fails 1 of 2 times on patched, 0 of 2 on baseline: no more than chance; exit 1");
    EXPECT_NEAR(*test.p_fails_more, 0.5, 1e-12);
    EXPECT_EQ(test.side.patched.failing().hits, 1);
    EXPECT_EQ(test.side.patched.failing().trials, 2);
}

TEST_F(Tests, ManyFailuresOfManyRunsAreRegressed) {
    for (int i = 0; i < 200; ++i) {
        hand_built::test(baseline(), "race", Status::pass);
        hand_built::test(patched(), "race", i < 5 ? Status::fail : Status::pass, "exit 1");
    }
    const TestComparison test = one();
    EXPECT_EQ(test.verdict, TestVerdict::regressed);
    EXPECT_EQ(test.why, "fails 5 of 200 times on patched, 0 of 200 on baseline: exit 1");
    EXPECT_EQ(statistics::text(test.side.baseline.failing()), "0 of 200, below 1.5 % at 95 %");
}

TEST_F(Tests, SkippedRunsAreNoTrials) {
    hand_built::test(baseline(), "race", Status::pass);
    hand_built::test(patched(), "race", Status::pass);
    hand_built::test(patched(), "race", Status::skip, "busy");
    EXPECT_EQ(one().verdict, TestVerdict::passes);
    EXPECT_EQ(one().side.patched.failing().trials, 1);
}

// ---- subtests

std::vector<std::string> names(const std::vector<TestComparison>& tests) {
    std::vector<std::string> names;
    for (const TestComparison& test : tests)
        names.push_back(test.subtest);
    return names;
}

TEST_F(Tests, SubtestsStandUnderTheirProgram) {
    hand_built::test(baseline(), "race", Status::pass, "",
                     {subtest("maps", "pass", "", {subtest("split", "pass")})});
    hand_built::test(patched(), "race", Status::pass, "",
                     {subtest("maps", "pass", "", {subtest("split", "pass"), subtest("x", "pass")}),
                      subtest("smaps", "pass")});
    const auto tests = compare();
    EXPECT_THAT(names(tests), ElementsAre("", "maps", "maps/split", "maps/x", "smaps"));
    EXPECT_EQ(tests[2].depth, 2);
    EXPECT_EQ(tests[2].verdict, TestVerdict::passes);
    EXPECT_EQ(tests[3].verdict, TestVerdict::appeared);
    EXPECT_EQ(name(tests[3]), "proc: race: maps/x");
    const TestCounts counts = count(tests);
    EXPECT_EQ(counts.passes, 1);
    EXPECT_EQ(counts.appeared, 2);
    EXPECT_EQ(counts.all(), 3);
    EXPECT_EQ(count(tests, "another cell").all(), 0);
}

TEST_F(Tests, ASubtestsFailureExplainsItsParents) {
    hand_built::test(baseline(), "race", Status::pass, "",
                     {subtest("maps", "pass", "", {subtest("split", "pass")})});
    hand_built::test(
        patched(), "race", Status::fail, "exit 1",
        {subtest("maps", "fail", "", {subtest("split", "fail", "Expected 1 (1) == x (2)")})});
    const auto tests = compare();
    EXPECT_EQ(tests[0].verdict, TestVerdict::regressed);
    EXPECT_FALSE(tests[0].counted);
    EXPECT_FALSE(tests[1].counted);
    EXPECT_TRUE(tests[2].counted);
    EXPECT_EQ(tests[2].why, "Expected 1 (1) == x (2)");
    EXPECT_EQ(count(tests).regressed, 1);
}

TEST_F(Tests, AProgramThatFailsOverGoodSubtestsCountsItself) {
    hand_built::test(baseline(), "race", Status::pass, "", {subtest("maps", "pass")});
    hand_built::test(patched(), "race", Status::fail, "exit 1", {subtest("maps", "pass")});
    const auto tests = compare();
    EXPECT_TRUE(tests[0].counted);
    EXPECT_EQ(count(tests).regressed, 1);
    EXPECT_EQ(count(tests).passes, 1);
}

TEST_F(Tests, SubtestsThatACrashLeavesOutAreMissing) {
    hand_built::test(baseline(), "race", Status::pass, "",
                     {subtest("maps", "pass"), subtest("smaps", "pass")});
    hand_built::test(patched(), "race", Status::fail, "killed by SIGSEGV",
                     {subtest("maps", "pass")});
    const auto tests = compare();
    EXPECT_EQ(tests[2].verdict, TestVerdict::missing);
    EXPECT_EQ(tests[2].why, "killed by SIGSEGV");
}

TEST_F(Tests, SubtestsOfASkippedProgramAreSkipped) {
    hand_built::test(baseline(), "race", Status::pass, "", {subtest("maps", "pass")});
    hand_built::test(patched(), "race", Status::skip, "no such file");
    const auto tests = compare();
    EXPECT_EQ(tests[1].verdict, TestVerdict::skipped);
    EXPECT_EQ(tests[1].why, "no such file; it passes on baseline");
    EXPECT_EQ(count(tests).skipped, 1);
}

TEST_F(Tests, TwoResultsWithOneNameStayTwo) {
    hand_built::test(baseline(), "race", Status::pass, "",
                     {subtest("a", "pass"), subtest("a", "pass")});
    hand_built::test(patched(), "race", Status::fail, "exit 1",
                     {subtest("a", "pass"), subtest("a", "fail", "no")});
    const auto tests = compare();
    EXPECT_THAT(names(tests), ElementsAre("", "a", "a (2)"));
    EXPECT_EQ(tests[1].verdict, TestVerdict::passes);
    EXPECT_EQ(tests[2].verdict, TestVerdict::regressed);
}

TEST_F(Tests, EffectiveStatusIsWhatCounts) {
    hand_built::test(baseline(), "race", Status::pass, "", {subtest("a", "pass")});
    hand_built::test(patched(), "race", Status::pass, "", {subtest("a", "pass")});
    patched().tests[0].subtests[0].effective = "missing";
    EXPECT_EQ(compare()[1].verdict, TestVerdict::missing);
}

TEST_F(Tests, BootsOfBenchmarksRunNoTests) {
    hand_built::test(baseline(), "read", Status::pass);
    hand_built::test(patched(), "read", Status::pass);
    run.matrix.cells[0].benchmarks = {hand_built::benchmark()};
    hand_built::benchmark_boots(run, Kernel::patched, x86, {1, 1});
    EXPECT_EQ(one().side.patched.runs(), 1);
}

} // namespace
} // namespace kmatrix

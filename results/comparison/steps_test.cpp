// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/steps.h"

#include <gmock/gmock.h>

#include "results/comparison/comparison.h"
#include "results/reports/example_steps.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using namespace example;

std::vector<StepVerdict> verdicts(const std::vector<StepComparison>& steps) {
    std::vector<StepVerdict> all;
    all.reserve(steps.size());
    for (const StepComparison& step : steps)
        all.push_back(step.verdict);
    return all;
}

RunResult run_that_builds(int patches) {
    RunResult run = good_run();
    run.info.each_patch = EachPatch::build;
    run.info.series.patches.assign(static_cast<std::size_t>(patches), "a patch");
    for (int step = 1; step < patches; ++step)
        step_build(run, step);
    return run;
}

void break_step(RunResult& run, int patches) {
    BuildResult& build = run.step_builds.at(static_cast<std::size_t>(patches - 1));
    build.ok = false;
    build.error = fmt::format("x.c:{}:1: error: no", patches);
}

TEST(Steps, AreNotThereUnlessTheyAreAskedFor) {
    const Comparison comparison = compare(good_run());
    EXPECT_THAT(comparison.steps, IsEmpty());
    EXPECT_EQ(sentence(comparison.steps, EachPatch::no), "");
}

TEST(Steps, ThatAllBuildChangeNothingOfTheOutcome) {
    const Comparison comparison = compare(run_that_builds(3));
    EXPECT_THAT(verdicts(comparison.steps),
                ElementsAre(StepVerdict::works, StepVerdict::works, StepVerdict::works));
    EXPECT_THAT(comparison.regressions, IsEmpty());
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.verdict, HasSubstr("the kernel builds after each of the 3 patches"));
}

TEST(Steps, ThatALaterPatchMendsIsARegressionThatGates) {
    const Comparison comparison = compare(run_with_a_broken_step());
    EXPECT_THAT(verdicts(comparison.steps),
                ElementsAre(StepVerdict::works, StepVerdict::breaks, StepVerdict::works));
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    const Regression& regression = comparison.regressions[0];
    EXPECT_EQ(regression.what, "after patch 2 of 3 the kernel does not build (x86_64 default gcc); "
                               "patch 3 mends it");
    EXPECT_EQ(regression.line, "fs/proc/x.c:7:1: error: 'two' undeclared");
    EXPECT_EQ(regression.log, "builds/x86_64-default-gcc/patch-2/build.log");
    EXPECT_EQ(regression.patch, 2);
    EXPECT_TRUE(regression.gates);
    EXPECT_EQ(exit_status(comparison), 1);
    EXPECT_EQ(sentence(comparison.steps, EachPatch::boot), "patch 2 of 3 breaks bisection");

    RunResult tolerant = run_with_a_broken_step();
    tolerant.matrix.gate.build = false;
    EXPECT_EQ(exit_status(compare(tolerant)), 0);
}

TEST(Steps, ThatBreakOneAfterTheOtherAreToldOnce) {
    RunResult run = run_that_builds(5);
    break_step(run, 2);
    break_step(run, 3);
    const Comparison comparison = compare(run);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_THAT(comparison.regressions[0].what, HasSubstr("after patch 2 of 5"));
    EXPECT_THAT(comparison.regressions[0].what, HasSubstr("patch 4 mends it"));
    EXPECT_EQ(sentence(comparison.steps, EachPatch::build), "patches 2, 3 of 5 break bisection");
}

TEST(Steps, WhatTheWholeSeriesBreaksIsToldByItself) {
    RunResult run = run_that_builds(3);
    break_step(run, 2);
    hand_built::break_build(run, Kernel::patched, "x.c:2:1: error: no");
    const Comparison comparison = compare(run);
    EXPECT_THAT(verdicts(comparison.steps),
                ElementsAre(StepVerdict::works, StepVerdict::breaks, StepVerdict::breaks));
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].patch, 0);
}

TEST(Steps, ThatTheBaselineDoesNotDoEitherAreNotBlamed) {
    RunResult run = run_that_builds(2);
    hand_built::break_build(run, Kernel::baseline, "x.c: error: old");
    break_step(run, 1);
    const Comparison comparison = compare(run);
    EXPECT_EQ(comparison.steps[0].verdict, StepVerdict::no_word);
    EXPECT_THAT(comparison.regressions, IsEmpty());
}

TEST(Steps, ThatWereLeftOutAreNotCalledGood) {
    RunResult run = run_that_builds(3);
    run.step_builds.pop_back();
    const Comparison comparison = compare(run);
    EXPECT_THAT(verdicts(comparison.steps),
                ElementsAre(StepVerdict::works, StepVerdict::not_run, StepVerdict::works));
    EXPECT_EQ(sentence(comparison.steps, EachPatch::build),
              "1 of 3 patches could not be judged each by itself");
}

TEST(Steps, AreJudgedByHowTheyBootAndByTheirSplats) {
    RunResult run = run_that_builds(4);
    run.info.each_patch = EachPatch::boot;
    step_boot(run, 1, Panicked{"VFS: no init"});
    // A test of the whole series that fails below its last patch says nothing.
    hand_built::test(step_boot(run, 2, Completed{}), "proc-maps-race", Status::fail);
    step_boot(run, 3, Completed{}).findings = {
        hand_built::finding("warning", "WARNING in show_map")};
    const Comparison comparison = compare(run);
    EXPECT_THAT(verdicts(comparison.steps), ElementsAre(StepVerdict::breaks, StepVerdict::works,
                                                        StepVerdict::breaks, StepVerdict::works));
    ASSERT_THAT(comparison.regressions, SizeIs(2));
    EXPECT_EQ(comparison.regressions[0].lane, Lane::boot);
    EXPECT_THAT(comparison.regressions[0].what,
                HasSubstr("after patch 1 of 4 the kernel panicked: VFS: no init"));
    EXPECT_EQ(comparison.regressions[1].lane, Lane::splat);
    EXPECT_EQ(comparison.regressions[1].patch, 3);
    EXPECT_THAT(comparison.steps[2].trials.back().why, HasSubstr("WARNING in show_map"));
}

TEST(Steps, WarnOfWhatALaterPatchUses) {
    RunResult run = run_that_builds(2);
    run.step_builds[0].warnings = {{"x.c", "-Wunused-function", "'f' defined but not used", 1}};
    const Comparison comparison = compare(run);
    EXPECT_EQ(comparison.steps[0].verdict, StepVerdict::works);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].lane, Lane::warning);
    EXPECT_FALSE(comparison.regressions[0].gates);
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.verdict, Not(HasSubstr("breaks bisection")));
}

} // namespace
} // namespace kmatrix

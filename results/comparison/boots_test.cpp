// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/boots.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using hand_built::x86;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

Cell functional_cell(Arch arch = Arch::x86_64, int vcpus = 4) {
    Cell cell = hand_built::cell(arch, vcpus);
    cell.selftests.push_back(hand_built::selftest());
    return cell;
}

BootComparison compare_one(const RunResult& run) {
    const auto boots = compare_boots(run, compare_builds(run));
    EXPECT_THAT(boots, SizeIs(1));
    return boots.front();
}

TEST(Boots, EachKindOfWorkIsAGroup) {
    Cell cell = functional_cell();
    cell.benchmarks = {hand_built::benchmark(4), hand_built::benchmark(5, 1, "maps")};
    RunResult run = hand_built::run({cell});
    hand_built::boot(run, Kernel::baseline, x86);
    hand_built::boot(run, Kernel::patched, x86);
    const auto boots = compare_boots(run, compare_builds(run));
    ASSERT_THAT(boots, SizeIs(3));
    EXPECT_EQ(work(boots[0]), "functional");
    EXPECT_EQ(boots[0].verdict, BootVerdict::boots);
    EXPECT_EQ(work(boots[1]), "smaps_rollup");
    EXPECT_EQ(boots[1].side.patched.planned, 4);
    EXPECT_EQ(boots[1].verdict, BootVerdict::not_compared);
    EXPECT_EQ(boots[2].side.patched.planned, 5);
}

TEST(Boots, APanicOfPatchedAloneIsARegressionAndItsFirstSplatTheLine) {
    RunResult run = hand_built::run({functional_cell()});
    hand_built::boot(run, Kernel::baseline, x86);
    BootResult& patched = hand_built::boot(run, Kernel::patched, x86);
    patched.outcome = Panicked{"Fatal exception"};
    patched.findings = {hand_built::finding("oops", "NULL dereference in f"),
                        hand_built::finding("panic", "Fatal exception")};
    const BootComparison boots = compare_one(run);
    EXPECT_EQ(boots.verdict, BootVerdict::regressed);
    EXPECT_THAT(boots.side.patched.outcomes, ElementsAre(Pair("panicked", 1)));
    EXPECT_EQ(boots.side.patched.failures[0].line, "NULL dereference in f");
    EXPECT_EQ(boots.side.patched.failures[0].what, "panicked: Fatal exception");
    EXPECT_EQ(boots.why, "patched panicked: Fatal exception");
}

TEST(Boots, EveryFailedOutcomeOfPatchedIsARegression) {
    for (const BootOutcome& outcome : {BootOutcome(Panicked{"x"}), BootOutcome(Reset{}),
                                       BootOutcome(Hung{60}), BootOutcome(NeverBooted{60}),
                                       BootOutcome(DeadlinePassed{60}), BootOutcome(AgentLost{})}) {
        RunResult run = hand_built::run({functional_cell()});
        hand_built::boot(run, Kernel::baseline, x86);
        hand_built::boot(run, Kernel::patched, x86).outcome = outcome;
        EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed) << sentence(outcome);
    }
}

TEST(Boots, WhatBaselineDoesTooIsNotBlamed) {
    RunResult run = hand_built::run({functional_cell()});
    hand_built::boot(run, Kernel::baseline, x86).outcome = NeverBooted{60};
    hand_built::boot(run, Kernel::patched, x86).outcome = Panicked{"x"};
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::fails_on_both);
}

TEST(Boots, PatchedMendsTheBoot) {
    RunResult run = hand_built::run({functional_cell()});
    hand_built::boot(run, Kernel::baseline, x86).outcome = Reset{};
    hand_built::boot(run, Kernel::patched, x86);
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::fixed);
}

TEST(Boots, OneOfSixIsEnough) {
    Cell cell = hand_built::cell();
    cell.benchmarks = {hand_built::benchmark(6)};
    RunResult run = hand_built::run({cell});
    hand_built::benchmark_boots(run, Kernel::baseline, x86, {1, 1, 1, 1, 1, 1});
    hand_built::benchmark_boots(run, Kernel::patched, x86, {1, 1, 1, 1, 1, 1});
    run.boots.back().outcome = Hung{300};
    const BootComparison boots = compare_one(run);
    EXPECT_EQ(boots.verdict, BootVerdict::regressed);
    EXPECT_THAT(boots.why, HasSubstr("(1 of 6 boots failed)"));
    EXPECT_EQ(boots.side.patched.failing().hits, 1);
    EXPECT_EQ(boots.side.patched.failing().trials, 6);
    // Where baseline fails now and then too, one more says nothing.
    run.boots.front().outcome = Hung{300};
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::flaky);
}

TEST(Boots, WithoutABaselineNothingIsCompared) {
    RunResult run = hand_built::run({functional_cell()});
    hand_built::break_build(run, Kernel::baseline, "ld: no");
    hand_built::boot(run, Kernel::patched, x86).outcome = Panicked{"x"};
    const BootComparison boots = compare_one(run);
    EXPECT_EQ(boots.verdict, BootVerdict::not_compared);
    EXPECT_EQ(boots.why, "baseline did not build; patched panicked: x");
    run.boots.clear();
    hand_built::build(run, Kernel::baseline).ok = true;
    EXPECT_EQ(compare_one(run).why, "neither kernel was booted");
    hand_built::boot(run, Kernel::baseline, x86);
    EXPECT_EQ(compare_one(run).why, "patched was not booted");
}

TEST(Boots, OneImageOnBothSidesIsNotBlamed) {
    RunResult run = hand_built::run({functional_cell()});
    hand_built::make_images_equal(run);
    hand_built::boot(run, Kernel::baseline, x86);
    hand_built::boot(run, Kernel::patched, x86).outcome = Hung{300};
    const BootComparison boots = compare_one(run);
    EXPECT_EQ(boots.verdict, BootVerdict::flaky);
    EXPECT_THAT(boots.why, HasSubstr("same kernel image"));
}

// 24 emulated vCPUs of x86_64 on two host CPUs.
struct StallUnderEmulation : testing::Test {
    StallUnderEmulation() : run(hand_built::run({functional_cell(Arch::x86_64, 24)})) {
        hand_built::boot(run, Kernel::baseline, id).machine.accel = Accel::tcg;
        BootResult& patched = hand_built::boot(run, Kernel::patched, id);
        patched.machine.accel = Accel::tcg;
        patched.outcome = NeverBooted{900};
        patched.findings = {hand_built::finding("hang", "rcu stall in f")};
    }
    const std::string id = "x86_64-default-24cpu-gcc";
    RunResult run;
};

TEST_F(StallUnderEmulation, IsNoVerdict) {
    const BootComparison boots = compare_one(run);
    EXPECT_EQ(boots.verdict, BootVerdict::no_verdict);
    EXPECT_TRUE(boots.emulated);
    EXPECT_TRUE(boots.side.patched.failures[0].excused);
    EXPECT_EQ(boots.side.patched.failing().trials, 0);
}

TEST_F(StallUnderEmulation, IsNoVerdictOfAHangOrADeadlineEither) {
    run.boots.back().outcome = Hung{900};
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::no_verdict);
    run.boots.back().outcome = DeadlinePassed{900};
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::no_verdict);
}

TEST_F(StallUnderEmulation, ExcusesNoPanicAndNoOtherSplat) {
    run.boots.back().outcome = Panicked{"x"};
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
    run.boots.back().outcome = NeverBooted{900};
    run.boots.back().findings.push_back(hand_built::finding("lockdep", "circular in f"));
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
}

TEST_F(StallUnderEmulation, MustHaveBeenSeen) {
    run.boots.back().findings.clear();
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
}

TEST_F(StallUnderEmulation, IsARegressionOnHardwareAndOnALargeHost) {
    run.boots.back().machine.host_cpus = 24;
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
    run.boots.back().machine.host_cpus = 2;
    run.boots.back().machine.accel = Accel::kvm;
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
}

// A deadlock that the series brings shows as a stall too: 8 vCPUs boot in time here.
TEST_F(StallUnderEmulation, IsARegressionWithFewVcpus) {
    run.matrix.cells[0].axes.vcpus = 8;
    EXPECT_EQ(compare_one(run).verdict, BootVerdict::regressed);
}

} // namespace
} // namespace kmatrix

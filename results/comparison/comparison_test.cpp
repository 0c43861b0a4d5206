// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/comparison.h"

#include <chrono>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using hand_built::arm;
using hand_built::x86;

using hand_built::subtest;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Both architectures, one functional boot a side with two tests that pass, six benchmark boots a
// side that show patched faster: the demo, without emulation.
struct Comparing : testing::Test {
    Comparing() {
        std::vector<Cell> cells;
        for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
            Cell cell = hand_built::cell(arch);
            cell.selftests.push_back(hand_built::selftest());
            cell.benchmarks.push_back(hand_built::benchmark());
            cells.push_back(std::move(cell));
        }
        run = hand_built::run(std::move(cells));
        for (const std::string& cell : {x86, arm})
            for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
                BootResult& boot = hand_built::boot(run, kernel, cell);
                hand_built::test(boot, "read", Status::pass);
                hand_built::test(boot, "race", Status::pass, "", {subtest("maps", "pass")});
                const double factor = kernel == Kernel::baseline ? 1 : cell == x86 ? 0.077 : 0.28;
                hand_built::benchmark_boots(run, kernel, cell,
                                            {0.39001 * factor, 0.41002 * factor, 0.38003 * factor,
                                             0.40004 * factor, 0.42005 * factor, 0.37006 * factor});
            }
    }
    BootResult& functional(Kernel kernel, const std::string& cell) {
        for (BootResult& boot : run.boots)
            if (boot.cell == cell && boot.kernel == kernel && !boot.benchmark)
                return boot;
        throw std::out_of_range(cell);
    }
    void slow_down_patched(double factor) {
        for (BootResult& boot : run.boots)
            if (boot.kernel == Kernel::patched)
                for (Sample& sample : boot.samples)
                    sample.mean_ms *= factor;
    }
    void emulate() {
        for (BootResult& boot : run.boots)
            boot.machine.accel = Accel::tcg;
    }
    Comparison compared() const { return compare(run); }
    RunResult run;
};

TEST_F(Comparing, AGoodSeriesIsAsWanted) {
    const Comparison comparison = compared();
    EXPECT_EQ(comparison.outcome, Outcome::as_wanted);
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.regressions, IsEmpty());
    EXPECT_THAT(comparison.notes, IsEmpty());
    EXPECT_FALSE(comparison.emulated);
    EXPECT_EQ(comparison.verdict,
              "Nothing regressed; 4 tests pass on both kernels; smaps_rollup is 13 times faster on "
              "x86_64 and 3.6 times faster on arm64.");
}

TEST_F(Comparing, EmulationIsSaidInTheSameSentence) {
    emulate();
    const Comparison comparison = compared();
    EXPECT_TRUE(comparison.emulated);
    EXPECT_THAT(comparison.verdict,
                HasSubstr("13 times faster on x86_64 and 3.6 times faster on arm64, under "
                          "emulation."));
    EXPECT_THAT(comparison.notes, ElementsAre(HasSubstr("every cell ran under emulation")));
    for (BootResult& boot : run.boots)
        if (boot.cell == x86)
            boot.machine.accel = Accel::kvm;
    EXPECT_THAT(compared().verdict,
                HasSubstr("13 times faster on x86_64 and 3.6 times faster on arm64 (emulated)."));
    EXPECT_THAT(compared().notes, ElementsAre(HasSubstr(arm + " ran under emulation")));
}

// ---- what regresses, each thing once

TEST_F(Comparing, ABrokenBuildGates) {
    hand_built::break_build(run, Kernel::patched,
                            "mm/x.c:7:1: error: expected ';'\nmm/x.c:8: more");
    std::erase_if(run.boots, [](const BootResult& boot) {
        return boot.kernel == Kernel::patched && boot.cell == x86;
    });
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 1);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    const Regression& regression = comparison.regressions[0];
    EXPECT_EQ(regression.lane, Lane::build);
    EXPECT_TRUE(regression.gates);
    EXPECT_EQ(regression.cell, x86);
    EXPECT_EQ(regression.line, "mm/x.c:7:1: error: expected ';'");
    EXPECT_THAT(regression.more, SizeIs(2));
    EXPECT_EQ(comparison.verdict,
              "The series regressed " + x86 +
                  ": the patched kernel does not build (x86_64 default gcc): mm/x.c:7:1: error: "
                  "expected ';'.");
}

TEST_F(Comparing, APanicIsOneRegressionWithItsSplatAndItsLostTests) {
    BootResult& patched = functional(Kernel::patched, x86);
    patched.outcome = Panicked{"Fatal exception"};
    patched.findings = {hand_built::finding("oops", "NULL dereference in f"),
                        hand_built::finding("panic", "Fatal exception")};
    for (TestRun& test : patched.tests) {
        test.status = Status::missing;
        test.subtests.clear();
    }
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 1);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    const Regression& regression = comparison.regressions[0];
    EXPECT_EQ(regression.lane, Lane::boot);
    EXPECT_EQ(regression.line, "NULL dereference in f");
    EXPECT_THAT(regression.more, ElementsAre("first line of NULL dereference in f"));
    EXPECT_EQ(regression.what,
              "the patched kernel panicked: Fatal exception (2 tests that baseline "
              "passes did not report)");
    EXPECT_EQ(regression.command, "boot " + patched.id);
}

TEST_F(Comparing, APanicOfABenchmarkBootNamesIt) {
    run.boots.back().outcome = Reset{};
    run.boots.back().console_tail = "last\nwords";
    const Comparison comparison = compared();
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].cell, arm);
    EXPECT_THAT(comparison.regressions[0].what,
                HasSubstr(" while it ran the benchmark smaps_rollup (1 of 6 boots)"));
    EXPECT_THAT(comparison.regressions[0].more, ElementsAre("last", "words"));
}

TEST_F(Comparing, ASplatGatesThoughAllTestsPass) {
    functional(Kernel::patched, x86).findings = {hand_built::finding("lockdep", "deadlock in f")};
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 1);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].lane, Lane::splat);
    EXPECT_EQ(comparison.regressions[0].line, "deadlock in f");
    EXPECT_THAT(comparison.regressions[0].what, HasSubstr("(lockdep) in 1 of 7 boots"));
}

TEST_F(Comparing, AFailingSubtestGatesOnce) {
    TestRun& race = functional(Kernel::patched, arm).tests[1];
    race.status = Status::fail;
    race.reason = "exit 1";
    race.subtests = {subtest("maps", "fail", "Expected 1 == 2")};
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 1);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].what, "proc: race: maps fails");
    EXPECT_EQ(comparison.regressions[0].line, "Expected 1 == 2");
    EXPECT_EQ(comparison.verdict,
              "The series regressed " + arm + ": proc: race: maps fails: Expected 1 == 2.");
}

TEST_F(Comparing, WhatIsMissingOfOneProgramIsOneRegression) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        functional(kernel, x86).tests[1].subtests = {subtest("maps", "pass")};
    functional(Kernel::baseline, x86).tests[1].subtests.push_back(subtest("smaps", "pass"));
    functional(Kernel::baseline, x86).tests[1].subtests.push_back(subtest("rollup", "pass"));
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 1);
    ASSERT_THAT(comparison.regressions, SizeIs(1));
    EXPECT_EQ(comparison.regressions[0].what,
              "proc: race: smaps is missing, and 1 more of that program");
    EXPECT_THAT(comparison.regressions[0].more, ElementsAre("proc: race: rollup is missing"));
}

TEST_F(Comparing, MissingOnBothAndNewFailuresGateNothing) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        hand_built::test(functional(kernel, x86), "gone", Status::missing);
    hand_built::test(functional(Kernel::patched, x86), "new", Status::fail, "exit 1");
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.verdict,
                HasSubstr("4 tests pass on both kernels, 1 is new, 1 is missing;"));
}

TEST_F(Comparing, SlowerGatesWhereTheGateSaysSo) {
    slow_down_patched(100);
    EXPECT_EQ(exit_status(compared()), 0);
    EXPECT_THAT(compared().verdict, HasSubstr("Nothing that gates regressed, but " + x86 +
                                              ": smaps_rollup is slower: "));
    run.matrix.gate.latency = true;
    EXPECT_EQ(exit_status(compared()), 1);
    emulate();
    EXPECT_EQ(exit_status(compared()), 0);
    EXPECT_THAT(compared().verdict, HasSubstr("emulated"));
    run.matrix.gate.latency_emulated = true;
    EXPECT_EQ(exit_status(compared()), 1);
    EXPECT_THAT(compared().verdict, HasSubstr("emulated; and 1 more."));
}

TEST_F(Comparing, NewWarningsGateWhereTheGateSaysSo) {
    hand_built::build(run, Kernel::patched).warnings = {{"mm/a.c", "-Wx", "odd", 1}};
    EXPECT_EQ(exit_status(compared()), 0);
    ASSERT_THAT(compared().regressions, SizeIs(1));
    EXPECT_EQ(compared().regressions[0].line, "mm/a.c: odd [-Wx]");
    run.matrix.gate.warnings = true;
    EXPECT_EQ(exit_status(compared()), 1);
}

TEST_F(Comparing, EveryGateCanBeOpened) {
    functional(Kernel::patched, x86).findings = {hand_built::finding("lockdep", "deadlock in f")};
    functional(Kernel::patched, x86).tests[0].status = Status::fail;
    run.boots.back().outcome = Reset{};
    run.matrix.gate.boot = run.matrix.gate.tests = run.matrix.gate.splat = false;
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.regressions, SizeIs(3));
    run.matrix.gate.splat = true;
    EXPECT_EQ(exit_status(compared()), 1);
    EXPECT_EQ(compared().regressions[0].lane, Lane::splat); // what gates stands first
    EXPECT_EQ(compared().gating(), 1);
}

// ---- the same image twice

TEST_F(Comparing, ASeriesThatChangesNothingIsSeenAsSuch) {
    hand_built::make_images_equal(run);
    functional(Kernel::patched, x86).tests[0].status = Status::fail;
    functional(Kernel::patched, x86).findings = {hand_built::finding("lockdep", "deadlock in f")};
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.regressions, IsEmpty());
    EXPECT_EQ(comparison.verdict,
              "The series does not change these kernels: both images are the same, and no "
              "difference is possible; 3 tests pass on both kernels, 1 is flaky.");
    EXPECT_THAT(comparison.notes, Contains(HasSubstr("x86_64 default gcc: both kernels have the "
                                                     "same image")));
}

// ---- nothing can be said

TEST_F(Comparing, ABaselineThatNeverBootsLeavesNothingToCompare) {
    for (BootResult& boot : run.boots)
        if (boot.kernel == Kernel::baseline)
            boot.outcome = Panicked{"no root"};
    const Comparison comparison = compared();
    EXPECT_EQ(exit_status(comparison), 3);
    EXPECT_EQ(comparison.verdict,
              "No verdict: no boot of baseline completed (" + x86 + ": it panicked: no root).");
}

TEST_F(Comparing, ABaselineThatDoesNotBuildLeavesNothingToCompare) {
    for (BuildResult& build : run.builds)
        build.ok = build.kernel == Kernel::patched;
    hand_built::build(run, Kernel::baseline).error = "ld: no";
    std::erase_if(run.boots,
                  [](const BootResult& boot) { return boot.kernel == Kernel::baseline; });
    EXPECT_EQ(exit_status(compared()), 3);
    EXPECT_EQ(compared().verdict,
              "No verdict: baseline does not build (x86_64 default gcc: ld: no).");
}

TEST_F(Comparing, ARunWithoutAnyResultIsNone) {
    for (BootResult& boot : run.boots) {
        boot.tests.clear();
        boot.samples.clear();
    }
    EXPECT_EQ(exit_status(compared()), 3);
    EXPECT_EQ(compared().verdict, "No verdict: no test and no benchmark gave a result.");
    EXPECT_EQ(exit_status(compare(RunResult{})), 3);
    EXPECT_EQ(compare(RunResult{}).verdict, "No verdict: baseline was not booted.");
}

TEST_F(Comparing, AShardSaysThatItIsOne) {
    run.info.shard = {1, 2};
    EXPECT_THAT(compared().notes, ElementsAre(HasSubstr("shard 1 of 2: ")));
}

TEST_F(Comparing, SkippedTestsAreNoResult) {
    for (BootResult& boot : run.boots) {
        boot.samples.clear();
        for (TestRun& test : boot.tests) {
            test.status = Status::skip;
            test.subtests.clear();
        }
    }
    EXPECT_EQ(exit_status(compared()), 3);
    EXPECT_EQ(compared().verdict,
              "No verdict: no test and no benchmark gave a result (4 tests are skipped).");
}

TEST_F(Comparing, WhatRanOnOneKernelAloneIsNoResult) {
    // As a budget may leave it: the baseline of one cell, the patched kernel of the other.
    std::erase_if(run.boots, [](const BootResult& boot) {
        return (boot.cell == x86) != (boot.kernel == Kernel::baseline);
    });
    EXPECT_EQ(exit_status(compared()), 3);
    EXPECT_THAT(compared().verdict,
                HasSubstr("No verdict: no test and no benchmark gave a result"));
}

TEST_F(Comparing, CellsThatAreOnlyBootedHaveTheirResult) {
    run = hand_built::run({hand_built::cell()});
    hand_built::boot(run, Kernel::baseline, x86);
    hand_built::boot(run, Kernel::patched, x86);
    EXPECT_EQ(exit_status(compared()), 0);
    EXPECT_EQ(compared().verdict, "Nothing regressed.");
}

TEST_F(Comparing, WorkOfOursThatFailedIsSaidAndIsNoRegression) {
    run.infrastructure = {{"boot " + arm, "qemu is missing\nmore"}};
    EXPECT_EQ(exit_status(compared()), 3);
    EXPECT_THAT(compared().verdict,
                HasSubstr("No whole verdict: 1 piece of work could not be done (boot " + arm +
                          ": qemu is missing); of the rest, nothing regressed;"));
    EXPECT_THAT(compared().notes, Contains("not done: boot " + arm + ": qemu is missing"));
    functional(Kernel::patched, x86).tests[0].status = Status::fail;
    EXPECT_EQ(exit_status(compared()), 1);
    EXPECT_THAT(compared().verdict, HasSubstr("; besides, 1 piece of work could not be done"));
}

TEST_F(Comparing, WhatWasNotRunIsSaid) {
    run.not_run = {"a", "b"};
    EXPECT_EQ(exit_status(compared()), 0);
    EXPECT_THAT(compared().verdict, HasSubstr("; 2 of 28 boots were not run."));
    EXPECT_THAT(compared().notes, Contains("2 of 28 boots were not run"));
}

TEST_F(Comparing, GuestsThatDifferAreNoted) {
    Vitals vitals;
    vitals.vcpus_online = 4;
    vitals.clocksource = "tsc";
    for (BootResult& boot : run.boots)
        boot.vitals = vitals;
    EXPECT_THAT(compared().notes, IsEmpty());
    functional(Kernel::patched, x86).vitals->vcpus_online = 3;
    functional(Kernel::patched, arm).vitals->clocksource = "jiffies";
    EXPECT_THAT(compared().notes,
                ElementsAre(x86 + ": vCPUs online: 4 on baseline, 3 or 4 on patched",
                            arm + ": clock source: tsc on baseline, jiffies or tsc on patched",
                            x86 + ": patched brought up fewer than 4 vCPUs in 1 boot"));
}

TEST_F(Comparing, ManyBenchmarksAreCountedInTheSentence) {
    for (Cell& cell : run.matrix.cells)
        for (const char* name : {"maps", "smaps"})
            cell.benchmarks.push_back(hand_built::benchmark(6, 1, name));
    EXPECT_THAT(compared().verdict,
                HasSubstr("; of 6 latency comparisons 2 faster, 4 not measured."));
}

// Nothing here may grow with the square of the number of results. 20,000 results take some tens of
// milliseconds; the limit leaves room for sanitizers and slow machines.
TEST_F(Comparing, TwentyThousandResultsAreQuick) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        for (int program = 0; program < 100; ++program) {
            std::vector<ktap::Test> subtests;
            for (int i = 0; i < 100; ++i)
                subtests.push_back(subtest("case " + std::to_string(i), "pass"));
            hand_built::test(functional(kernel, x86), "program " + std::to_string(program),
                             Status::pass, "", std::move(subtests));
        }
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(count(compared().tests).passes, 10'004);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/runs.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/comparison/noise.h"

namespace kmatrix {
namespace {

using hand_built::arm;
using hand_built::x86;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::vector<double> level{1.00, 1.02, 0.98, 1.01, 0.99, 1.00};
const std::vector<double> again{1.01, 1.00, 0.99, 1.02, 1.00, 0.98};
// Those of latency_test.cpp.
const std::vector<double> slow_ms{0.390001, 0.410002, 0.380003, 0.400004, 0.420005, 0.370006};
const std::vector<double> quick_ms{0.115001, 0.117002, 0.112003, 0.121004, 0.119005, 0.114006};

RunResult version(int number, const std::vector<double>& baseline,
                  const std::vector<double>& patched) {
    Cell cell = hand_built::cell();
    cell.selftests = {hand_built::selftest()};
    cell.benchmarks = {hand_built::benchmark()};
    RunResult run = hand_built::run({cell});
    run.info.id = fmt::format("run-v{}", number);
    run.info.series.version = number;
    run.info.series.subject = "proc: read less";
    run.info.baseline_commit = "0123456789abcdef";
    run.info.baseline_describe = "7.3.4";
    run.info.patched_tree = fmt::format("tree of v{}", number);
    hand_built::build(run, Kernel::patched).image_sha256 = fmt::format("image of v{}", number);
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        hand_built::test(hand_built::boot(run, kernel, x86), "maps", Status::pass);
    hand_built::benchmark_boots(run, Kernel::baseline, x86, baseline);
    hand_built::benchmark_boots(run, Kernel::patched, x86, patched);
    for (BootResult& boot : run.boots) {
        boot.machine.host_cpu = "Some CPU";
        boot.machine.qemu_version = "7.2.0";
    }
    return run;
}

BootResult& functional(RunResult& run, Kernel kernel) {
    return run.boots.at(kernel == Kernel::baseline ? 0 : 1);
}

struct Runs : testing::Test {
    RunResult a = version(2, level, slow_ms);
    RunResult b = version(3, again, quick_ms);

    RunsComparison compare() const {
        auto runs = compare_runs(a, b);
        EXPECT_TRUE(runs);
        return *runs;
    }
    LatencyChange latency() const {
        const RunsComparison runs = compare();
        EXPECT_THAT(runs.latency, SizeIs(1));
        return runs.latency.at(0);
    }
};

// ---- tests

TEST_F(Runs, ATestThatFailsInBAloneRegressed) {
    functional(b, Kernel::patched).tests[0].status = Status::fail;
    functional(b, Kernel::patched).tests[0].reason = "exit 1";
    const RunsComparison runs = compare();
    ASSERT_THAT(runs.tests, SizeIs(1));
    const TestChange& test = runs.tests[0];
    EXPECT_EQ(test.verdict, TestVerdict::regressed);
    EXPECT_TRUE(test.differs());
    EXPECT_EQ(test.patched.a.passed, 1);
    EXPECT_EQ(test.patched.b.failed, 1);
    EXPECT_EQ(test.own.a, TestVerdict::passes);
    EXPECT_EQ(test.own.b, TestVerdict::regressed);
    EXPECT_EQ(runs.gating, 1);
    EXPECT_THAT(runs.verdict, StartsWith("B against A: 1 test regressed;"));
    b.matrix.gate.tests = false;
    EXPECT_EQ(compare().gating, 0);
}

TEST_F(Runs, ATestThatFailedInAAloneIsFixed) {
    functional(a, Kernel::patched).tests[0].status = Status::fail;
    const RunsComparison runs = compare();
    EXPECT_EQ(runs.tests.at(0).verdict, TestVerdict::fixed);
    EXPECT_EQ(runs.gating, 0);
    EXPECT_THAT(runs.verdict, StartsWith("B against A: nothing regressed, 1 test is fixed;"));
}

TEST_F(Runs, BootsOfOneNameAreNotTakenForOne) {
    // Both runs have a boot .../patched/functional: each must count for itself.
    functional(a, Kernel::patched).tests.clear();
    const RunsComparison runs = compare();
    EXPECT_EQ(runs.tests.at(0).verdict, TestVerdict::appeared);
    EXPECT_EQ(runs.tests.at(0).patched.a.missing, 1);
}

TEST_F(Runs, WhatIsAlikeIsNoDifference) {
    const RunsComparison runs = compare();
    EXPECT_FALSE(runs.tests.at(0).differs());
    EXPECT_THAT(runs.notes, IsEmpty());
    EXPECT_THAT(runs.cells, ElementsAre(x86));
}

// ---- findings

TEST_F(Runs, ANewSplatIsNewUnlessBsBaselineHasIt) {
    functional(b, Kernel::patched).findings = {hand_built::finding("warning", "WARNING in f")};
    RunsComparison runs = compare();
    ASSERT_THAT(runs.findings, SizeIs(1));
    EXPECT_EQ(runs.findings[0].verdict, FindingVerdict::blamed);
    EXPECT_FALSE(runs.findings[0].on_own_baseline);
    EXPECT_EQ(runs.findings[0].boots.b, 1);
    EXPECT_EQ(runs.findings[0].of.b, 7);
    EXPECT_EQ(runs.gating, 1);
    EXPECT_THAT(runs.verdict, HasSubstr("1 splat is new"));

    functional(b, Kernel::baseline).findings = {hand_built::finding("warning", "WARNING in f")};
    runs = compare();
    EXPECT_TRUE(runs.findings[0].on_own_baseline);
    EXPECT_EQ(runs.gating, 0);
    EXPECT_THAT(runs.verdict, HasSubstr("nothing regressed"));
}

TEST_F(Runs, ASplatOfAAloneIsGone) {
    functional(a, Kernel::patched).findings = {hand_built::finding("bug", "BUG in g")};
    EXPECT_EQ(compare().findings.at(0).verdict, FindingVerdict::gone);
    EXPECT_THAT(compare().verdict, HasSubstr("1 splat is gone"));
}

// ---- builds

TEST_F(Runs, WarningsAreNewOrGoneByWhatTheSeriesBrings) {
    const Warning old{"mm/x.c", "-Wunused", "unused a", 1};
    const Warning of_a{"mm/x.c", "-Wunused", "unused b", 1};
    const Warning of_b{"mm/y.c", "-Wunused", "unused c", 1};
    for (RunResult* run : {&a, &b})
        hand_built::build(*run, Kernel::baseline).warnings = {old};
    hand_built::build(a, Kernel::patched).warnings = {old, of_a};
    // v3 touches mm/y.c alone: that it does not say `old` again means nothing.
    hand_built::build(b, Kernel::patched).warnings = {of_b};
    const RunsComparison runs = compare();
    EXPECT_THAT(runs.builds.at(0).new_warnings, ElementsAre(of_b));
    EXPECT_THAT(runs.builds.at(0).gone_warnings, ElementsAre(of_a));
    EXPECT_EQ(runs.gating, 0);
    b.matrix.gate.warnings = true;
    EXPECT_EQ(compare().gating, 1);
}

TEST_F(Runs, ABuildThatBrokeIsARegression) {
    hand_built::break_build(b, Kernel::patched, "mm/x.c:7:1: error: no");
    std::erase_if(b.boots, [](const BootResult& boot) { return boot.kernel == Kernel::patched; });
    const RunsComparison runs = compare();
    EXPECT_EQ(runs.builds.at(0).verdict, BuildVerdict::regressed);
    EXPECT_EQ(runs.gating, 1);
    EXPECT_THAT(runs.latency.at(0).refused, HasSubstr("no figure"));
}

// ---- latency

TEST_F(Runs, PatchedIsComparedToPatchedWhereTheBaselinesAreOneImage) {
    const LatencyChange change = latency();
    EXPECT_EQ(change.refused, "");
    EXPECT_NEAR(*change.own.a.ratio, 0.3946668,
                1e-6); // R: exp(mean(log(slow_ms)) - mean(log(level)))
    ASSERT_TRUE(change.baselines);
    // R 4.2.2: exp(t.test(log(again), log(level), conf.level=.9)$conf.int) = 0.9853083 1.0149108
    EXPECT_NEAR(*change.baselines->ratio, 1, 1e-9);
    EXPECT_NEAR(change.baselines->test->ratio_90.low, 0.9853083, 1e-6);
    EXPECT_EQ(change.baselines->verdict, LatencyVerdict::equivalent);
    ASSERT_TRUE(change.direct);
    // Those of latency_test.cpp, by R.
    EXPECT_EQ(change.direct->verdict, LatencyVerdict::faster);
    EXPECT_NEAR(*change.direct->ratio, 0.29469, 1e-4);
    EXPECT_NEAR(change.direct->test->ratio_95.low, 0.27979, 1e-4);
    EXPECT_NEAR(change.direct->test->ratio_95.high, 0.31038, 1e-4);
    EXPECT_EQ(compare().verdict, "B against A: nothing regressed; smaps_rollup is 3.4 times faster "
                                 "in x86_64-default-4cpu-gcc.");
}

TEST_F(Runs, SlowerThanTheVersionBeforeGatesWhereLatencyDoes) {
    std::swap(a, b);
    b.matrix.gate.latency = true;
    EXPECT_EQ(compare().gating, 1);
    EXPECT_EQ(latency().direct->verdict, LatencyVerdict::slower);
}

TEST_F(Runs, OneMoreBootThanTheOtherRunIsNoHindrance) {
    b.matrix.cells[0].benchmarks[0].boots = 8;
    EXPECT_EQ(latency().refused, "");
}

TEST_F(Runs, OtherBaselinesAreRefused) {
    b.info.baseline_commit = "fedcba9876543210";
    b.info.baseline_describe = "7.3.5";
    hand_built::build(b, Kernel::baseline).image_sha256 = "another";
    EXPECT_FALSE(latency().direct);
    EXPECT_EQ(latency().refused, "the baselines are different kernels: 7.3.4 (0123456789ab) in A, "
                                 "7.3.5 (fedcba987654) in B");
    EXPECT_THAT(compare().notes, Contains(HasSubstr("the baselines differ")));
    EXPECT_THAT(compare().verdict, HasSubstr("against its own baseline in A and"));
    b.info.baseline_commit = a.info.baseline_commit;
    EXPECT_THAT(latency().refused, StartsWith("the baselines' images differ, though"));
}

TEST_F(Runs, OtherPlacesAreRefused) {
    for (const auto& change : std::vector<std::pair<const char*, void (*)(Machine&)>>{
             {"Other CPU", [](Machine& machine) { machine.host_cpu = "Other CPU"; }},
             {"8 x", [](Machine& machine) { machine.host_cpus = 8; }},
             {"QEMU 9", [](Machine& machine) { machine.qemu_version = "9.0.0"; }},
             {"tcg", [](Machine& machine) { machine.accel = Accel::tcg; }}}) {
        b = version(3, again, quick_ms);
        for (BootResult& boot : b.boots)
            change.second(boot.machine);
        EXPECT_FALSE(latency().direct);
        EXPECT_THAT(latency().refused, StartsWith("they were measured in different places"));
        EXPECT_THAT(latency().refused, HasSubstr(change.first));
    }
}

TEST_F(Runs, OtherOptionsAndGuestsAreRefused) {
    b.matrix.cells[0].benchmarks[0].busytasks = 2;
    EXPECT_THAT(latency().refused, HasSubstr("options differ"));
    b = version(3, again, quick_ms);
    b.matrix.vm.memory_mib = 4096;
    EXPECT_THAT(latency().refused, HasSubstr("2048 MiB and 1 NUMA nodes in A, 4096 and 1 in B"));
}

// The same image must not have changed: if it has, the machine did.
TEST_F(Runs, BaselinesThatMovedAreRefused) {
    b = version(3, {1.51, 1.50, 1.49, 1.52, 1.50, 1.48}, quick_ms);
    EXPECT_FALSE(latency().direct);
    EXPECT_EQ(latency().baselines->verdict, LatencyVerdict::slower);
    EXPECT_THAT(latency().refused, StartsWith("the baseline, one image in both runs, is 1.5 times "
                                              "slower in B"));
}

TEST_F(Runs, BaselinesThatMovedLessThanTheNoiseAreNot) {
    b = version(3, {1.09, 1.08, 1.07, 1.10, 1.08, 1.06}, quick_ms);
    EXPECT_FALSE(latency().direct);
    const Cell& cell = b.matrix.cells[0];
    b.known.noise = {
        {noise_key(cell, cell.benchmarks[0], b.boots[0].machine), 0.12, 1, {1, 1}, 6, "aa", ""}};
    EXPECT_TRUE(latency().direct);
}

TEST_F(Runs, OnePatchedImageTwiceIsNoDifference) {
    hand_built::build(b, Kernel::patched).image_sha256 = "image of v2";
    EXPECT_EQ(latency().direct->verdict, LatencyVerdict::same_image);
    EXPECT_TRUE(compare().builds.at(0).same_image);
}

// Of two endpoints one is refused: the other pays for itself alone.
TEST_F(Runs, HolmCountsWhatIsComparedDirectly) {
    const double alone = *latency().direct->p_holm;
    for (RunResult* run : {&a, &b}) {
        Cell cell = hand_built::cell(Arch::arm64);
        cell.benchmarks = {hand_built::benchmark()};
        run->matrix.cells.push_back(cell);
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            BuildResult build;
            build.key = cell.build();
            build.kernel = kernel;
            build.ok = true;
            build.image_sha256 = fmt::format("{} arm {}", to_string(kernel), run->info.id);
            run->builds.push_back(build);
            hand_built::benchmark_boots(*run, kernel, arm,
                                        kernel == Kernel::patched ? quick_ms : slow_ms);
        }
        for (BootResult& boot : run->boots) {
            boot.machine.host_cpu = "Some CPU";
            boot.machine.qemu_version = "7.2.0";
        }
    }
    RunsComparison runs = compare();
    ASSERT_THAT(runs.latency, SizeIs(2));
    EXPECT_FALSE(runs.latency[1].direct);
    EXPECT_NEAR(*runs.latency[0].direct->p_holm, alone, 1e-15);
    for (RunResult* run : {&a, &b})
        for (BuildResult& build : run->builds)
            if (build.key.arch == Arch::arm64 && build.kernel == Kernel::baseline)
                build.image_sha256 = "baseline of arm";
    runs = compare();
    EXPECT_TRUE(runs.latency[1].direct);
    EXPECT_NEAR(*runs.latency[0].direct->p_holm, 2 * alone, 1e-15);
}

// ---- the runs

TEST_F(Runs, CellsOfOneRunAloneAreNamed) {
    Cell more = hand_built::cell(Arch::arm64);
    b.matrix.cells.push_back(more);
    EXPECT_THAT(compare().alone.b, ElementsAre(arm));
    EXPECT_THAT(compare().cells, ElementsAre(x86));
    b.matrix.cells.erase(b.matrix.cells.begin());
    const auto none = compare_runs(a, b);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().blame, Blame::user);
}

TEST_F(Runs, EditedSelftestsAreNoted) {
    b.info.series.changes_selftests = true;
    EXPECT_THAT(compare().notes, Contains(HasSubstr("its test does")));
    b.info.patched_tree = a.info.patched_tree;
    EXPECT_THAT(compare().notes, ElementsAre(HasSubstr("the same patched source")));
}

} // namespace
} // namespace kmatrix

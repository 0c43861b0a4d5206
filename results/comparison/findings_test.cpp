// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/findings.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using hand_built::arm;
using hand_built::x86;

using testing::IsEmpty;
using testing::SizeIs;

const std::string x86_8 = "x86_64-default-8cpu-gcc";

struct Findings : testing::Test {
    Findings()
        : run(hand_built::run({hand_built::cell(), hand_built::cell(Arch::x86_64, 8),
                               hand_built::cell(Arch::arm64)})) {
        for (const std::string& cell : {x86, x86_8, arm})
            for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
                hand_built::boot(run, kernel, cell);
    }
    BootResult& boot(Kernel kernel, const std::string& cell) {
        for (BootResult& boot : run.boots)
            if (boot.kernel == kernel && boot.cell == cell)
                return boot;
        throw std::out_of_range(cell);
    }
    std::vector<FindingComparison> compare() const {
        return compare_findings(run, compare_builds(run));
    }
    const Finding splat = hand_built::finding("lockdep", "possible deadlock in f");
    RunResult run;
};

TEST_F(Findings, NoneAreNone) {
    EXPECT_THAT(compare(), IsEmpty());
}

TEST_F(Findings, OnPatchedAloneAreBlamed) {
    boot(Kernel::patched, x86).findings = {splat, splat};
    const auto findings = compare();
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, FindingVerdict::blamed);
    EXPECT_EQ(findings[0].boots.patched, 1); // twice in one boot
    EXPECT_EQ(findings[0].boots.baseline, 0);
    EXPECT_EQ(findings[0].of.patched, 1);
    EXPECT_EQ(findings[0].example_boot, x86 + "/patched/functional");
    EXPECT_FALSE(findings[0].ended_boot);
}

TEST_F(Findings, OnBothAreNotBlamed) {
    boot(Kernel::baseline, x86).findings = {splat};
    boot(Kernel::patched, x86).findings = {splat};
    const auto findings = compare();
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].verdict, FindingVerdict::on_both);
    EXPECT_EQ(findings[0].example_kernel, Kernel::patched);
}

TEST_F(Findings, ThatBaselineShowsInAnotherCellAreNotBlamed) {
    boot(Kernel::patched, x86).findings = {splat};
    boot(Kernel::baseline, x86_8).findings = {splat};
    const auto findings = compare();
    ASSERT_THAT(findings, SizeIs(2));
    EXPECT_EQ(findings[0].verdict, FindingVerdict::on_both);
    EXPECT_EQ(findings[0].why, "baseline shows it in " + x86_8);
    EXPECT_EQ(findings[1].verdict, FindingVerdict::gone);
}

TEST_F(Findings, OfAnotherArchitectureAreAnotherMatter) {
    boot(Kernel::patched, x86).findings = {splat};
    boot(Kernel::baseline, arm).findings = {splat};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::blamed);
}

TEST_F(Findings, WithAnotherTitleOrClassAreOthers) {
    boot(Kernel::baseline, x86).findings = {hand_built::finding("warning", splat.title),
                                            hand_built::finding("lockdep", "in g")};
    boot(Kernel::patched, x86).findings = {splat};
    const auto findings = compare();
    ASSERT_THAT(findings, SizeIs(3));
    EXPECT_EQ(findings[0].verdict, FindingVerdict::gone);
    EXPECT_EQ(findings[2].verdict, FindingVerdict::blamed);
}

TEST_F(Findings, GoneTakesAPatchedBootThatCompleted) {
    boot(Kernel::baseline, x86).findings = {splat};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::gone);
    boot(Kernel::patched, x86).outcome = NeverBooted{60};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::not_compared);
}

TEST_F(Findings, BlameTakesABaselineBootThatCompleted) {
    boot(Kernel::patched, x86).findings = {splat};
    boot(Kernel::baseline, x86).outcome = NeverBooted{60};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::not_compared);
}

TEST_F(Findings, StallsUnderEmulationAreNoVerdict) {
    BootResult& patched = boot(Kernel::patched, x86);
    patched.findings = {hand_built::finding("hang", "rcu stall in f")};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::blamed);
    patched.machine.accel = Accel::tcg;
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::no_verdict);
    // It is what is seen of a boot that hung, with few enough vCPUs to run in time.
    patched.outcome = Hung{900};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::blamed);
    EXPECT_TRUE(compare()[0].ended_boot);
}

TEST_F(Findings, OfOneImageOnBothSidesAreNoVerdict) {
    hand_built::make_images_equal(run);
    boot(Kernel::patched, x86).findings = {splat};
    EXPECT_EQ(compare()[0].verdict, FindingVerdict::no_verdict);
}

TEST_F(Findings, TheExampleIsPatchedsOwn) {
    boot(Kernel::baseline, x86).findings = {splat};
    BootResult& patched = boot(Kernel::patched, x86);
    patched.findings = {splat};
    patched.findings[0].lines = {"patched's line"};
    EXPECT_EQ(compare()[0].example.lines, patched.findings[0].lines);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/tested_by.h"

#include <gmock/gmock.h>

#include "results/reports/example_runs.h"

namespace kmatrix {
namespace {

using namespace example;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Doubts : public testing::Test {
  protected:
    std::vector<std::string> of() const { return doubts(run, compare(run)); }
    RunResult run = mailed(good_run());
};

TEST_F(Doubts, NoneWhereEverythingWentWell) {
    EXPECT_THAT(of(), IsEmpty());
}

TEST_F(Doubts, ABootThatWasNotRun) {
    run.not_run = {run.boots.back().id};
    EXPECT_THAT(of(), ElementsAre(HasSubstr("1 of 14 boots was not run")));
}

TEST_F(Doubts, APatchedKernelThatDidNotBootEveryTime) {
    run.boots.back().outcome = Hung{60};
    EXPECT_THAT(of(), testing::Contains(HasSubstr("5 of 6 smaps_rollup boots")));
}

TEST_F(Doubts, ATestThatIsFlakyOnBoth) {
    for (std::size_t boot : {0, 1}) {
        hand_built::test(run.boots[boot], "flaky", Status::fail);
        hand_built::test(run.boots[boot], "flaky", Status::pass);
    }
    const Comparison comparison = compare(run);
    ASSERT_EQ(comparison.outcome, Outcome::as_wanted);
    EXPECT_THAT(doubts(run, comparison), ElementsAre(HasSubstr("flaky")));
}

TEST_F(Doubts, ANewTestThatFails) {
    hand_built::test(run.boots[0], "new", Status::skip);
    hand_built::test(run.boots[1], "new", Status::fail);
    EXPECT_THAT(of(), ElementsAre(HasSubstr("new, fails")));
}

TEST_F(Doubts, SlowerThoughThatDoesNotGateHere) {
    for (BootResult& boot : run.boots)
        for (Sample& sample : boot.samples)
            sample.mean_ms *= boot.kernel == Kernel::patched ? 100 : 1;
    const Comparison comparison = compare(run);
    ASSERT_EQ(comparison.outcome, Outcome::as_wanted);
    EXPECT_THAT(doubts(run, comparison), ElementsAre(HasSubstr("smaps_rollup is slower")));
}

TEST_F(Doubts, KernelsThatTheSeriesDoesNotChange) {
    hand_built::make_images_equal(run);
    EXPECT_THAT(of(), ElementsAre(HasSubstr("does not change the kernels")));
    // But for a series of tests that is as it should be.
    run.info.series.letters[0].files = {"tools/testing/selftests/mm/x.c"};
    EXPECT_THAT(of(), IsEmpty());
}

TEST_F(Doubts, NotACompilerWarning) {
    hand_built::build(run, Kernel::patched).warnings = {{"mm/x.c", "-Wx", "y", 1}};
    EXPECT_THAT(of(), IsEmpty());
}

TEST(Coverage, SaysHowEachArchitectureWasRun) {
    RunResult run = hand_built::run({hand_built::cell(), hand_built::cell(Arch::arm64)});
    for (const Cell& cell : run.matrix.cells)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            hand_built::boot(run, kernel, cell.id);
    EXPECT_EQ(coverage(run), "x86_64, arm64 under QEMU/KVM");
    for (BootResult& boot : run.boots)
        if (boot.cell.starts_with("arm64"))
            boot.machine.accel = Accel::tcg;
    EXPECT_EQ(coverage(run), "x86_64 under QEMU/KVM, arm64 under QEMU/TCG");
    run.boots[0].machine.accel = Accel::tcg;
    EXPECT_EQ(coverage(run), "x86_64 under QEMU/KVM and TCG, arm64 under QEMU/TCG");
}

} // namespace
} // namespace kmatrix

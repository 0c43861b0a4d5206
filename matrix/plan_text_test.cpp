// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/plan_text.h"

#include <gmock/gmock.h>

#include "matrix/read.h"

namespace kmatrix {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Matrix& two_cells() {
    static const Matrix matrix = parse_matrix(R"(
        [axes]
        arch = ["x86_64"]
        vcpus = [4, 8]
        cmdline = ["mitigations=off"]
        [[selftest]]
        target = "proc"
        test = "proc-maps-race"
        repeat = 3
        [[selftest]]
        target = "mm"
        only = "vcpus=8"
        [[benchmark]]
        samples = 1
        only = "vcpus=8"
    )",
                                              "dir/demo.toml")
                                     .value();
    return matrix;
}

TEST(PlanText, IsTheWholePlan) {
    const Estimate estimate{3725, 700, 3, 4};
    EXPECT_EQ(plan_text(two_cells(), plan(two_cells()), estimate, {"mind the gap"}),
              R"(dir/demo.toml: 2 cells, 2 kernel builds, 16 boots

Cells
  x86_64-default-4cpu-gcc-mitigations=off
    cmdline    mitigations=off
    selftest   proc:proc-maps-race x 3
  x86_64-default-8cpu-gcc-mitigations=off
    cmdline    mitigations=off
    selftest   proc:proc-maps-race x 3
    selftest   mm (all of it)
    benchmark  smaps_rollup: 6 boots a side, 1 sample of 5 s each

Kernel builds, each of them baseline and patched
  x86_64   default              gcc    for 2 cells

Boots
  4 functional, side by side as CPUs and memory allow
  12 for benchmarks, one at a time, baseline and patched in turn (ABBA)

Estimate: about 1 h 14 min (from earlier runs, and guesses where there are none)
  builds about 1 h 02 min with an empty cache, boots about 12 min one after the other

Warnings
  mind the gap
)");
}

TEST(PlanText, SaysWhereTheEstimateIsFrom) {
    const Plan planned = plan(two_cells());
    EXPECT_THAT(plan_text(two_cells(), planned, {20, 5, 0, 7}, {}),
                HasSubstr("Estimate: less than a minute (a guess: nothing like it has run here"));
    EXPECT_THAT(plan_text(two_cells(), planned, {100, 100, 7, 0}, {}),
                HasSubstr("Estimate: about 3 min (from earlier runs)"));
    EXPECT_THAT(plan_text(two_cells(), planned, {}, {}), Not(HasSubstr("Warnings")));
}

TEST(PlanText, NamesCellsThatAreOnlyBooted) {
    const Matrix matrix = parse_matrix("[axes]\nvcpus = [2]\n", "b.toml").value();
    EXPECT_THAT(plan_text(matrix, plan(matrix), {}, {}),
                HasSubstr("  x86_64-default-2cpu-gcc\n    is only booted\n"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include <set>

#include <gmock/gmock.h>

#include "matrix/matrix.h"

namespace kmatrix {
namespace {

using ::testing::ElementsAre;

Cell cell_of(Axes axes) {
    return Cell{cell_id(axes), axes, {}, {}};
}

Benchmark benchmark(std::string name, int boots) {
    Benchmark benchmark;
    benchmark.name = std::move(name);
    benchmark.boots = boots;
    return benchmark;
}

std::vector<std::string> boot_ids(const Plan& plan) {
    std::vector<std::string> boot_ids;
    for (const PlannedBoot& boot : plan.boots)
        boot_ids.push_back(boot.id);
    return boot_ids;
}

TEST(Plan, SharesBuildsBetweenCellsThatDifferOnlyInTheMachine) {
    Matrix matrix;
    matrix.cells = {cell_of({Arch::x86_64, "default", 4, "gcc", ""}),
                    cell_of({Arch::x86_64, "default", 8, "gcc", ""}),
                    cell_of({Arch::x86_64, "default", 8, "gcc", "quiet"}),
                    cell_of({Arch::x86_64, "default", 8, "clang", ""}),
                    cell_of({Arch::arm64, "default", 8, "gcc", ""})};
    EXPECT_THAT(plan(matrix).builds, ElementsAre(BuildKey{Arch::x86_64, "default", "gcc"},
                                                 BuildKey{Arch::x86_64, "default", "clang"},
                                                 BuildKey{Arch::arm64, "default", "gcc"}));
}

TEST(Plan, PutsFunctionalBootsFirstAndBenchmarksInAbbaOrder) {
    Matrix matrix;
    matrix.cells = {cell_of({Arch::x86_64, "default", 8, "gcc", ""}),
                    cell_of({Arch::arm64, "default", 8, "gcc", ""})};
    matrix.cells[0].selftests = {{"proc", "proc-maps-race", 1, std::nullopt, {}}};
    matrix.cells[0].benchmarks = {benchmark("rollup", 5)};
    const std::string x86 = "x86_64-default-8cpu-gcc", arm = "arm64-default-8cpu-gcc";
    EXPECT_THAT(boot_ids(plan(matrix)),
                ElementsAre(x86 + "/baseline/functional", x86 + "/patched/functional",
                            arm + "/baseline/functional", arm + "/patched/functional",
                            x86 + "/baseline/rollup-1", x86 + "/patched/rollup-1",
                            x86 + "/patched/rollup-2", x86 + "/baseline/rollup-2",
                            x86 + "/baseline/rollup-3", x86 + "/patched/rollup-3",
                            x86 + "/patched/rollup-4", x86 + "/baseline/rollup-4",
                            x86 + "/baseline/rollup-5", x86 + "/patched/rollup-5"));
}

TEST(Plan, BootsACellThatOnlyMeasuresForItsBenchmarksAlone) {
    Matrix matrix;
    matrix.cells = {cell_of({})};
    matrix.cells[0].benchmarks = {benchmark("a", 4), benchmark("b", 4)};
    const Plan planned = plan(matrix);
    ASSERT_EQ(planned.boots.size(), 16u);
    for (const PlannedBoot& boot : planned.boots)
        EXPECT_TRUE(boot.benchmark.has_value()) << boot.id;
    EXPECT_EQ(planned.boots[8].id, "x86_64-default-4cpu-gcc/baseline/b-1");
    EXPECT_EQ(planned.boots[8].benchmark, 1u);
    EXPECT_EQ(planned.boots[8].number, 1);
    EXPECT_EQ(planned.boots[10].kernel, Kernel::patched);
    EXPECT_EQ(planned.boots[10].number, 2);
}

TEST(Plan, GivesEveryBootAnIdOfItsOwn) {
    Matrix matrix;
    matrix.cells = {cell_of({})};
    matrix.cells[0].selftests = {{"proc", "", 1, std::nullopt, {}}};
    // Names made to collide where the number is not kept apart.
    matrix.cells[0].benchmarks = {benchmark("a", 12), benchmark("a-1", 4),
                                  benchmark("functional", 4)};
    const std::vector<std::string> all = boot_ids(plan(matrix));
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    EXPECT_EQ(all.size(), 2u + 24u + 8u + 8u);
}

TEST(Plan, OfBenchmarksAloneHasNoFunctionalBoots) {
    Matrix matrix;
    matrix.cells = {cell_of({Arch::x86_64, "default", 4, "gcc", ""})};
    matrix.cells[0].selftests = {Selftest{"proc", "", 1, {}, {}}};
    matrix.cells[0].benchmarks = {benchmark("b", 1)};
    matrix.only_benchmarks = true;
    EXPECT_THAT(boot_ids(plan(matrix)), ElementsAre("x86_64-default-4cpu-gcc/baseline/b-1",
                                                    "x86_64-default-4cpu-gcc/patched/b-1"));
}

} // namespace
} // namespace kmatrix

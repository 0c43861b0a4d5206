// SPDX-License-Identifier: GPL-2.0-only
// The matrix files that come with kmatrix are good ones, and ask for what they say.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "matrix/read.h"
#include "places.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

const fs::path source = KMATRIX_SOURCE_DIR;

Matrix shipped(const std::string& name) {
    const Result<Matrix> matrix =
        read_matrix(source / "matrix" / (name + ".toml"), source / "kconfigs");
    EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().message);
    return matrix.value_or(Matrix{});
}

std::vector<std::string> shipped_ids(const Matrix& matrix) {
    std::vector<std::string> shipped_ids;
    for (const Cell& cell : matrix.cells)
        shipped_ids.push_back(cell.id);
    return shipped_ids;
}

TEST(ShippedMatrices, AreAllReadable) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(source / "matrix"))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().stem().string());
    EXPECT_THAT(names, UnorderedElementsAre("many-cores", "quick", "smaps-rollup", "thread"));
    for (const std::string& name : names)
        EXPECT_FALSE(shipped(name).cells.empty()) << name;
}

TEST(ShippedMatrices, DemoMeasuresOnBothArchitecturesAndTestsOnDebug) {
    const Matrix matrix = shipped("smaps-rollup");
    EXPECT_THAT(shipped_ids(matrix),
                ElementsAre("x86_64-default-8cpu-gcc", "arm64-default-8cpu-gcc",
                            "x86_64-default+debug-8cpu-gcc"));
    for (const Cell& cell : matrix.cells) {
        ASSERT_EQ(cell.selftests.size(), 1u);
        EXPECT_EQ(cell.selftests[0].test, "proc-maps-race");
        EXPECT_EQ(cell.selftests[0].repeat, 1);
        EXPECT_EQ(cell.benchmarks.size(), is_debug(cell.axes.config) ? 0u : 1u);
        for (const Benchmark& benchmark : cell.benchmarks) {
            EXPECT_EQ(benchmark.procfile, "smaps_rollup");
            EXPECT_EQ(benchmark.scanner, Scanner::pread);
            EXPECT_EQ(benchmark.boots, 6);
            EXPECT_EQ(benchmark.samples, 2);
            EXPECT_EQ(benchmark.duration_s, 5);
        }
    }
    EXPECT_EQ(plan(matrix).builds.size(), 3u);
    EXPECT_EQ(plan(matrix).boots.size(), 6u + 24u);
}

TEST(ShippedMatrices, ThreadTakesTwentySamplesASideWithFreshReaders) {
    const Matrix matrix = shipped("thread");
    for (const Cell& cell : matrix.cells) {
        const Benchmark& benchmark = cell.benchmarks.at(0);
        EXPECT_EQ(benchmark.scanner, Scanner::exec);
        EXPECT_EQ(benchmark.boots * benchmark.samples, 20);
    }
    EXPECT_EQ(matrix.cells.size(), 2u);
}

TEST(ShippedMatrices, QuickOnlyTestsOnOneArchitecture) {
    const Matrix matrix = shipped("quick");
    ASSERT_EQ(matrix.cells.size(), 1u);
    EXPECT_TRUE(matrix.cells[0].benchmarks.empty());
    EXPECT_EQ(plan(matrix).boots.size(), 2u);
}

TEST(ShippedMatrices, ManyCoresHaveBothPageSizesOfArm64) {
    EXPECT_THAT(shipped_ids(shipped("many-cores")),
                ElementsAre("x86_64-default-24cpu-gcc", "x86_64-default-48cpu-gcc",
                            "arm64-default-24cpu-gcc", "arm64-default-48cpu-gcc",
                            "arm64-default+64k-24cpu-gcc", "arm64-default+64k-48cpu-gcc"));
}

} // namespace
} // namespace kmatrix

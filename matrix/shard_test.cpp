// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/shard.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Cells = std::vector<std::size_t>;

Cell shard_cell(Arch arch, const std::string& config, int vcpus, int boots = 0) {
    Axes axes;
    axes.arch = arch;
    axes.config = config;
    axes.vcpus = vcpus;
    Cell cell{cell_id(axes), axes, {}, {}};
    if (boots > 0) {
        Benchmark benchmark;
        benchmark.name = "smaps_rollup";
        benchmark.boots = boots;
        cell.benchmarks = {benchmark};
    }
    return cell;
}

Matrix matrix_of(std::vector<Cell> cells) {
    Matrix matrix;
    matrix.name = "demo";
    matrix.cells = std::move(cells);
    return matrix;
}

std::string shard_error(std::string_view text) {
    const auto shard = parse_shard(text);
    return shard ? "" : shard.error().message;
}

TEST(Shard, IsReadAndWritten) {
    EXPECT_EQ(parse_shard("2/3").value(), (Shard{2, 3}));
    EXPECT_EQ(to_string(Shard{2, 3}), "2/3");
    EXPECT_EQ(to_string(Shard{}), "");
    EXPECT_EQ(parse_shard("1/1").value(), (Shard{1, 1}));
}

TEST(Shard, RefusesWhatIsNone) {
    for (const char* text : {"", "2", "0/3", "4/3", "-1/3", "1/0", "1/2/3", " 1/2", "a/b", "1/",
                             "/2", "1/99999999999999999999"})
        EXPECT_THAT(shard_error(text), HasSubstr("expected K/N with K from 1 to N")) << text;
}

TEST(Shards, KeepCellsOfOneBuildTogether) {
    const Matrix matrix = matrix_of(
        {shard_cell(Arch::x86_64, "default", 4, 6), shard_cell(Arch::arm64, "default", 4, 6),
         shard_cell(Arch::x86_64, "default", 8, 6), shard_cell(Arch::arm64, "default", 8, 6)});
    const auto parts = shards(matrix, 2);
    // arm64 is guessed to build longer, and is dealt first.
    EXPECT_THAT(parts, ElementsAre(Cells{1, 3}, Cells{0, 2}));
}

TEST(Shards, DivideABuildThatOutweighsTheOthers) {
    // 100 boots a side of each x86_64 cell against one boot of arm64.
    const Matrix matrix = matrix_of({shard_cell(Arch::x86_64, "default", 4, 100),
                                     shard_cell(Arch::x86_64, "default", 8, 100),
                                     shard_cell(Arch::arm64, "default", 4)});
    const auto parts = shards(matrix, 2);
    EXPECT_THAT(parts, SizeIs(2));
    EXPECT_NE(std::find(parts[0].begin(), parts[0].end(), 0u) == parts[0].end(),
              std::find(parts[0].begin(), parts[0].end(), 1u) == parts[0].end());
}

TEST(Shards, DivideABuildWhereThereAreFewerBuildsThanShards) {
    const Matrix matrix =
        matrix_of({shard_cell(Arch::x86_64, "default", 4), shard_cell(Arch::x86_64, "default", 8),
                   shard_cell(Arch::x86_64, "default", 16)});
    EXPECT_THAT(shards(matrix, 1), ElementsAre(Cells{0, 1, 2}));
    const auto parts = shards(matrix, 3);
    EXPECT_THAT(parts[0], SizeIs(1));
    EXPECT_THAT(parts[1], SizeIs(1));
    EXPECT_THAT(parts[2], SizeIs(1));
}

// Whatever the matrix: every cell once, no part empty, the same parts each time.
TEST(Shards, AreAPartition) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        unsigned state = seed;
        const auto draw = [&](unsigned below) {
            state = state * 1103515245u + 12345u;
            return (state >> 16) % below;
        };
        std::vector<Cell> cells;
        const unsigned count = 1 + draw(12);
        for (unsigned i = 0; i < count; ++i)
            cells.push_back(shard_cell(draw(2) == 0 ? Arch::x86_64 : Arch::arm64,
                                       draw(3) == 0 ? "default+debug" : "default",
                                       static_cast<int>(4 + i), static_cast<int>(draw(30))));
        const Matrix matrix = matrix_of(cells);
        for (std::size_t of = 1; of <= cells.size(); ++of) {
            const auto parts = shards(matrix, of);
            ASSERT_THAT(parts, SizeIs(of));
            EXPECT_EQ(parts, shards(matrix, of));
            std::multiset<std::size_t> all;
            for (const Cells& part : parts) {
                EXPECT_FALSE(part.empty()) << "seed " << seed << ", " << of << " shards";
                EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
                all.insert(part.begin(), part.end());
            }
            ASSERT_EQ(all.size(), cells.size());
            for (std::size_t i = 0; i < cells.size(); ++i)
                EXPECT_EQ(all.count(i), 1u);
        }
    }
}

TEST(NarrowToShard, LeavesThatPartInTheMatrixsOrder) {
    const Matrix matrix =
        matrix_of({shard_cell(Arch::x86_64, "default", 4), shard_cell(Arch::arm64, "default", 4),
                   shard_cell(Arch::x86_64, "default", 8)});
    const Matrix first = narrow_to_shard(matrix, {1, 2}).value();
    const Matrix second = narrow_to_shard(matrix, {2, 2}).value();
    EXPECT_EQ(first.cells.size() + second.cells.size(), 3u);
    EXPECT_THAT(narrow_to_shard(matrix, {}).value().cells, SizeIs(3));
    const auto refused = narrow_to_shard(matrix, {1, 4});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().blame, Blame::user);
    EXPECT_THAT(refused.error().message, HasSubstr("demo has 3 cells to run"));
}

} // namespace
} // namespace kmatrix

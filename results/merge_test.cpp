// SPDX-License-Identifier: GPL-2.0-only
// Three cells of one build, of which two shards made it both; runner/ci/merge_test.cpp has the
// rest.
#include "results/merge.h"

#include <gmock/gmock.h>

#include "matrix/filter.h"
#include "matrix/read.h"
#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* three_cells_text =
    "[axes]\narch = ['x86_64']\nvcpus = [4, 8, 16]\n[[selftest]]\ntarget = 'proc'\n";

ShardRun shard_of(int number, int of) {
    const Matrix matrix =
        chosen(parse_matrix(three_cells_text, "m.toml").value(), {"", {}, false, {number, of}})
            .value();
    ShardRun shard{"shard-" + std::to_string(number), three_cells_text,
                   hand_built::run(matrix.cells)};
    shard.run.matrix = matrix;
    shard.run.info.matrix_file = "m.toml";
    shard.run.info.shard = {number, of};
    return shard;
}

TEST(MergeShards, OfOneBuildMadeTwiceAlikeSayNothing) {
    const auto merged = merge_shards({shard_of(1, 2), shard_of(2, 2)});
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_THAT(merged->info.notes, IsEmpty());
    EXPECT_THAT(merged->infrastructure, IsEmpty());
}

TEST(MergeShards, NoteTwoImagesOfOneBuild) {
    ShardRun second = shard_of(2, 2);
    hand_built::build(second.run, Kernel::patched).image_sha256 = "another";
    const auto merged = merge_shards({shard_of(1, 2), second});
    ASSERT_TRUE(merged);
    EXPECT_THAT(merged->info.notes,
                ElementsAre(AllOf(HasSubstr("build x86_64 default gcc patched"),
                                  HasSubstr("shard 1 and shard 2 made two images of it"))));
}

// Neither can be believed, and the whole is not green.
TEST(MergeShards, ABuildThatOneCouldNotMakeIsWorkNotDone) {
    ShardRun second = shard_of(2, 2);
    hand_built::break_build(second.run, Kernel::patched, "mm/x.c:7:1: error: no");
    const auto merged = merge_shards({shard_of(1, 2), second});
    ASSERT_TRUE(merged);
    ASSERT_THAT(merged->infrastructure, SizeIs(1));
    EXPECT_THAT(merged->infrastructure[0].second,
                AllOf(HasSubstr("disagree"), HasSubstr("mm/x.c:7:1: error: no")));
}

TEST(MergeShards, NameAllThatAreMissing) {
    const auto merged = merge_shards({shard_of(2, 3)});
    ASSERT_FALSE(merged);
    EXPECT_THAT(merged.error().message, HasSubstr("shards 1, 3 of 3 are missing"));
    EXPECT_FALSE(merge_shards({}));
}

TEST(MergeShards, KnownFloorsAndFailuresAreThereOnce) {
    ShardRun first = shard_of(1, 2);
    ShardRun second = shard_of(2, 2);
    NoiseFloor floor;
    floor.key.machine = "2 x CPU";
    floor.floor = 0.1;
    EarlierFailures failures;
    failures.test = "proc: race";
    failures.runs = 3;
    for (ShardRun* shard : {&first, &second}) {
        shard->run.known.noise = {floor};
        shard->run.known.failures = {failures};
    }
    NoiseFloor other = floor;
    other.key.machine = "8 x CPU";
    second.run.known.noise.push_back(other);
    const auto merged = merge_shards({first, second});
    ASSERT_TRUE(merged);
    EXPECT_THAT(merged->known.noise, SizeIs(2));
    EXPECT_THAT(merged->known.failures, SizeIs(1));
}

TEST(MergeShards, CellsThatWereCutOtherwiseAreNotTakenOnTrust) {
    ShardRun second = shard_of(2, 2);
    second.run.matrix.cells.back() = shard_of(1, 2).run.matrix.cells.front();
    const auto merged = merge_shards({shard_of(1, 2), second});
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().blame, Blame::infrastructure);
}

// Of each patch by itself as of the whole series.
TEST(MergeShards, StepsOfASeriesAndItsEarlierVersionAreMergedToo) {
    ShardRun first = shard_of(1, 2), second = shard_of(2, 2);
    for (ShardRun* shard : {&first, &second}) {
        shard->run.info.each_patch = EachPatch::build;
        BuildResult step = hand_built::build(shard->run, Kernel::patched);
        step.patches = 1;
        shard->run.step_builds.push_back(step);
    }
    second.run.known.earlier_version = EarlierVersion{};
    second.run.known.earlier_version->version = 2;
    const auto merged = merge_shards({first, second});
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_THAT(merged->infrastructure, IsEmpty());
    ASSERT_TRUE(merged->known.earlier_version);
    EXPECT_EQ(merged->known.earlier_version->version, 2);

    second.run.step_builds[0].ok = false;
    second.run.step_builds[0].error = "x.c:1:1: error: no";
    const auto broken = merge_shards({first, second});
    ASSERT_TRUE(broken);
    ASSERT_THAT(broken->infrastructure, SizeIs(1));
    EXPECT_THAT(broken->infrastructure[0].first, HasSubstr("gcc patch-1"));

    second.run.info.each_patch = EachPatch::no;
    const auto unlike = merge_shards({first, second});
    ASSERT_FALSE(unlike);
    EXPECT_THAT(unlike.error().message, HasSubstr("their --each-patch differ (build and no)"));
}

} // namespace
} // namespace kmatrix

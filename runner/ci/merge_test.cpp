// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/merge.h"

#include <functional>

#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/ci/shards_example.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Merging : public testing::Test, protected ShardsOnDisk {
  protected:
    std::string refusal(const std::vector<fs::path>& directories) const {
        const auto end = merge_runs(directories, root / "refused");
        if (end)
            return "merged";
        EXPECT_FALSE(fs::exists(root / "refused"));
        EXPECT_EQ(end.error().blame, Blame::user);
        return end.error().message;
    }
};

TEST_F(Merging, TwoShardsGiveTheRunThatWasCut) {
    const fs::path first = write(result({1, 2}), "one");
    const fs::path second = write(result({2, 2}), "two");
    const fs::path whole = write(result({}), "whole");
    // In whatever order.
    const auto end = merge_runs({second, first}, root / "merged");
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_EQ(exit_status(*end), 0);
    const RunResult merged = load_run(root / "merged").value();
    EXPECT_EQ(merged.info.shard, Shard{});
    EXPECT_EQ(merged.info.id, "merged");
    const Comparison expected = compare(load_run(whole).value());
    EXPECT_EQ(end->comparison.verdict, expected.verdict);
    EXPECT_THAT(end->comparison.verdict, HasSubstr("2 tests pass on both kernels"));
    // Holm's correction is over the endpoints of all shards, not over each one's.
    ASSERT_THAT(end->comparison.latency, SizeIs(2));
    const Comparison alone = compare(load_run(first).value());
    ASSERT_THAT(alone.latency, SizeIs(1));
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(end->comparison.latency[i].p_holm, expected.latency[i].p_holm);
    EXPECT_NEAR(*end->comparison.latency[0].p_holm, 2 * *alone.latency[0].p_holm, 1e-12);
    // Reports and logs are there.
    for (const char* name : {"junit.xml", "report.txt", "report.html", "report.json"})
        EXPECT_TRUE(fs::exists(root / "merged" / name)) << name;
    for (const BootResult& boot : merged.boots)
        EXPECT_TRUE(fs::exists(root / "merged/cells" / boot.id / "console.log")) << boot.id;
    // The shards stay as they were.
    EXPECT_EQ(load_run(first)->info.shard, (Shard{1, 2}));
}

TEST_F(Merging, ARegressionOfOneShardIsOneOfTheWhole) {
    RunResult bad = result({2, 2});
    for (BootResult& boot : bad.boots)
        if (boot.kernel == Kernel::patched && !boot.benchmark)
            boot.tests[0].status = Status::fail;
    const auto end = merge_runs({write(result({1, 2}), "one"), write(bad, "two")}, root / "merged");
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_EQ(exit_status(*end), 1);
}

TEST_F(Merging, WhatAShardCouldNotDoOrLeftOutIsOfTheWhole) {
    RunResult second = result({2, 2});
    second.infrastructure = {{"boot x", "no disk"}};
    second.not_run = {second.boots.back().id};
    second.info.notes = {"a note"};
    const auto end =
        merge_runs({write(result({1, 2}), "one"), write(second, "two")}, root / "merged");
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_EQ(exit_status(*end), 3);
    EXPECT_THAT(end->comparison.verdict, AllOf(HasSubstr("no disk"), HasSubstr("were not run")));
    EXPECT_THAT(load_run(root / "merged")->info.notes, ElementsAre("a note"));
}

TEST_F(Merging, RerunsKeepTheirCell) {
    RunResult second = result({2, 2});
    PlannedBoot again;
    again.cell = 0; // of the shard's only cell
    again.id = second.matrix.cells[0].id + "/patched/functional-2";
    again.number = 2;
    again.reruns = {{"proc", "race", 5, 2}};
    second.info.reruns = {again};
    ASSERT_TRUE(merge_runs({write(result({1, 2}), "one"), write(second, "two")}, root / "merged"));
    const RunResult merged = load_run(root / "merged").value();
    ASSERT_THAT(merged.info.reruns, SizeIs(1));
    EXPECT_EQ(merged.matrix.cells[merged.info.reruns[0].cell].id, second.matrix.cells[0].id);
    EXPECT_EQ(merged.info.reruns[0].reruns, again.reruns);
}

TEST_F(Merging, MachinesThatDifferAreNoted) {
    RunResult first = result({1, 2});
    RunResult second = result({2, 2});
    first.info.machine = {Accel::kvm, "7.2.0", "9.0.0", "One CPU", 4, false};
    second.info.machine = {Accel::kvm, "7.2.0", "9.0.0", "Another CPU", 8, false};
    ASSERT_TRUE(merge_runs({write(first, "one"), write(second, "two")}, root / "merged"));
    EXPECT_THAT(load_run(root / "merged")->info.notes,
                ElementsAre(AllOf(HasSubstr("4 x One CPU, QEMU 7.2.0 of shard 1"),
                                  HasSubstr("8 x Another CPU, QEMU 7.2.0 of shard 2"))));
}

TEST_F(Merging, AShardThatIsMissingIsNamed) {
    EXPECT_THAT(refusal({write(result({2, 2}), "two")}), HasSubstr("shard 1 of 2 is missing"));
}

TEST_F(Merging, OneShardTwiceIsRefused) {
    const fs::path first = write(result({1, 2}), "one");
    const fs::path again = write(result({1, 2}), "again");
    EXPECT_THAT(refusal({first, again, write(result({2, 2}), "two")}),
                AllOf(HasSubstr("shard 1/2 is there twice"), HasSubstr("one"), HasSubstr("again")));
    EXPECT_THAT(refusal({first, first}), HasSubstr("twice"));
}

TEST_F(Merging, ShardsOfDifferentRunsAreRefused) {
    const fs::path first = write(result({1, 2}), "one");
    int number = 0;
    const auto with_other = [&](const std::function<void(RunInfo&)>& change) {
        RunResult second = result({2, 2});
        change(second.info);
        return refusal({first, write(second, "other-" + std::to_string(++number))});
    };
    EXPECT_THAT(with_other([](RunInfo& other) { other.baseline_commit = "c"; }),
                HasSubstr("their baselines differ (" + info.baseline_commit + " and c)"));
    EXPECT_THAT(with_other([](RunInfo& other) { other.patched_tree = "c"; }),
                HasSubstr("their patched trees differ"));
    EXPECT_THAT(with_other([](RunInfo& other) { other.kmatrix_version = "9"; }),
                HasSubstr("versions of kmatrix differ (0.1.0 and 9)"));
    EXPECT_THAT(with_other([](RunInfo& other) { other.only = "arch=x86_64,arm64"; }),
                HasSubstr("choices of cells and tests differ"));
    EXPECT_THAT(with_other([](RunInfo& other) { other.shard = {}; }),
                HasSubstr("is a whole run, and no shard of one"));
    EXPECT_THAT(refusal({first, write(result({2, 2}), "text", std::string(matrix_text) + "# x\n")}),
                HasSubstr("their matrix files differ"));
    EXPECT_THAT(refusal({first, root / "nowhere"}), HasSubstr("holds no run"));
}

TEST_F(Merging, ADirectoryThatHoldsARunIsNotWrittenOver) {
    const fs::path first = write(result({1, 2}), "one");
    const fs::path second = write(result({2, 2}), "two");
    const auto end = merge_runs({first, second}, first);
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message, HasSubstr("holds a run already"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The verb with the real git on a small tree, and a run that is made up.
#include "runner/ci/ci.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/ci/shards_example.h"
#include "runner/run/reports.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class CiVerb : public SmallTree, protected ShardsOnDisk {
  protected:
    CiVerb() {
        branch("topic", "fs/a.c", numbers(41));
        base_ = id("main");
        head_ = id("topic");
        ::setenv("XDG_CACHE_HOME", (root / "cache").c_str(), 1);
        request_.run.matrix_file = "quick.toml";
        made_ = result({});
    }

    std::string id(const std::string& revision) const {
        return std::string(trim(git(argv("rev-parse", revision))));
    }

    Environment github() const {
        EXPECT_TRUE(write_file(root / "event.json",
                               R"({"pull_request": {"number": 12, "base": {"sha": ")" + base_ +
                                   R"("}, "head": {"sha": ")" + head_ + R"("}}})"));
        EXPECT_TRUE(write_file(root / "step_summary", "of an earlier command\n"));
        return {{"GITHUB_ACTIONS", "true"},
                {"GITHUB_EVENT_NAME", "pull_request"},
                {"GITHUB_EVENT_PATH", root / "event.json"},
                {"GITHUB_STEP_SUMMARY", root / "step_summary"},
                {"GITHUB_WORKSPACE", tree_}};
    }
    Environment gitlab() const {
        return {{"GITLAB_CI", "true"},
                {"CI_MERGE_REQUEST_IID", "7"},
                {"CI_MERGE_REQUEST_DIFF_BASE_SHA", base_},
                {"CI_COMMIT_SHA", head_},
                {"CI_PROJECT_DIR", tree_}};
    }

    // Exit status; what it printed is in printed_.
    int ci_with(const Environment& environment) {
        testing::internal::CaptureStdout();
        const int status = ci(request_, environment, [&](const RunRequest& run) {
            asked_.push_back(run);
            return made(run);
        });
        printed_ = testing::internal::GetCapturedStdout();
        return status;
    }

    Result<RunEnd> made(const RunRequest& run) {
        if (!failure_.empty())
            return infrastructure_error(failure_);
        auto store = Store::create(run.directory, made_.info, matrix_text);
        if (!store)
            return tl::unexpected(store.error());
        for (const BuildResult& build : made_.builds)
            EXPECT_TRUE(store->save(build));
        for (const BootResult& boot : made_.boots)
            EXPECT_TRUE(store->save(boot));
        auto comparison = write_reports(*store, *store->load());
        EXPECT_TRUE(comparison);
        return RunEnd{*comparison, said_, run.directory, false};
    }

    static std::string text(const fs::path& file) { return read_file(file).value_or("no file"); }

    std::string base_, head_, printed_;
    CiRequest request_;
    RunResult made_;      // what the run gives
    std::string failure_; // or why it does not
    std::string said_ = "it is done\n";
    std::vector<RunRequest> asked_;
};

TEST_F(CiVerb, RunsWhatAPullRequestChanges) {
    EXPECT_EQ(ci_with(github()), 0);
    ASSERT_THAT(asked_, SizeIs(1));
    EXPECT_EQ(asked_[0].series, base_ + ".." + head_);
    EXPECT_EQ(asked_[0].tree, tree_.string());
    EXPECT_EQ(asked_[0].directory, tree_ / "kmatrix-results");
    EXPECT_EQ(asked_[0].matrix_file, "quick.toml");
    for (const char* name : {"junit.xml", "report.html", "report.json", "report.txt", "summary.md"})
        EXPECT_TRUE(fs::exists(tree_ / "kmatrix-results" / name)) << name;
    EXPECT_FALSE(fs::exists(tree_ / "kmatrix-results/gl-code-quality-report.json"));
    EXPECT_THAT(text(root / "step_summary"),
                AllOf(StartsWith("of an earlier command\n"), HasSubstr("## kmatrix: as wanted"),
                      HasSubstr("pull request 12")));
}

TEST_F(CiVerb, OnGitHubNothingOfTheRunIsACommand) {
    said_ = "::error::of the guest\n";
    EXPECT_EQ(ci_with(github()), 0);
    const auto lines = split(trim(printed_), '\n');
    ASSERT_THAT(lines[0], StartsWith("::stop-commands::kmatrix-"));
    const std::string token = lines[0].substr(17);
    EXPECT_THAT(token, SizeIs(8 + 32));
    const std::size_t end = printed_.find("\n::" + token + "::\n");
    ASSERT_NE(end, std::string::npos);
    EXPECT_LT(printed_.find("::error::of the guest"), end);
    EXPECT_LT(printed_.find("kmatrix: pull request 12"), end); // what went to standard error
    EXPECT_THAT(printed_.substr(end), HasSubstr("\n::notice title=kmatrix::Nothing regressed"));
    // Another job's cannot be told from it.
    request_.run.directory = tree_ / "again";
    EXPECT_EQ(ci_with(github()), 0);
    EXPECT_THAT(printed_, Not(HasSubstr(token)));
}

TEST_F(CiVerb, OnGitLabThereAreNoCommandsAndAReportOfCodeQuality) {
    hand_built::build(made_, Kernel::patched).warnings = {{"mm/x.c", "-Wx", "y", 1}};
    EXPECT_EQ(ci_with(gitlab()), 0);
    EXPECT_EQ(printed_, said_);
    EXPECT_THAT(text(tree_ / "kmatrix-results/gl-code-quality-report.json"), HasSubstr("mm/x.c"));
    EXPECT_THAT(text(tree_ / "kmatrix-results/summary.md"), HasSubstr("merge request 7"));
}

TEST_F(CiVerb, ARegressionIsExitStatusOneAndAnError) {
    for (BootResult& boot : made_.boots)
        if (boot.kernel == Kernel::patched && !boot.benchmark)
            boot.tests[0].status = Status::fail;
    EXPECT_EQ(ci_with(github()), 1);
    EXPECT_THAT(printed_, AllOf(HasSubstr("\n::error title=kmatrix::The series regressed"),
                                HasSubstr("proc: race fails")));
    EXPECT_THAT(text(root / "step_summary"), HasSubstr("### What got worse"));
}

TEST_F(CiVerb, ARunWithoutAResultIsNeverGreen) {
    for (BootResult& boot : made_.boots) {
        boot.tests.clear();
        boot.samples.clear();
    }
    EXPECT_EQ(ci_with(github()), 3);
    EXPECT_THAT(printed_, HasSubstr("\n::error title=kmatrix::No verdict: no test and no benchmark "
                                    "gave a result"));
    EXPECT_THAT(text(tree_ / "kmatrix-results/junit.xml"), HasSubstr("<error"));
}

TEST_F(CiVerb, AFailureOfOursIsSaidWhereTheJobsPageIs) {
    failure_ = "no disk\n::set-env name=A::b";
    EXPECT_EQ(ci_with(github()), 3);
    EXPECT_THAT(printed_, HasSubstr("\n::error title=kmatrix::no disk%0A::set-env name=A::b\n"));
    EXPECT_THAT(text(root / "step_summary"),
                AllOf(HasSubstr("## kmatrix: no verdict"), HasSubstr("no disk")));
    EXPECT_THAT(text(tree_ / "kmatrix-results/summary.md"), HasSubstr("no disk"));
}

TEST_F(CiVerb, WhatIsNoChangeIsNotRun) {
    EXPECT_EQ(ci_with({{"GITLAB_CI", "true"}, {"CI_PIPELINE_SOURCE", "push"}}), 2);
    EXPECT_EQ(ci_with({}), 2);
    Environment lost = github();
    lost["GITHUB_EVENT_PATH"] = root / "nowhere.json";
    EXPECT_NE(ci_with(lost), 0);
    EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CiVerb, OptionsSayMoreThanTheCi) {
    request_.base = "main";
    request_.run.tree = tree_;
    request_.head = "topic";
    request_.run.directory = root / "by hand";
    EXPECT_EQ(ci_with({}), 0);
    ASSERT_THAT(asked_, SizeIs(1));
    EXPECT_EQ(asked_[0].series, base_ + ".." + head_);
    EXPECT_EQ(asked_[0].directory, root / "by hand");

    request_.head = "";
    request_.run.series = "v2.mbox";
    request_.run.directory = root / "a series";
    EXPECT_EQ(ci_with(gitlab()), 0);
    EXPECT_EQ(asked_[1].series, "v2.mbox");
    EXPECT_EQ(asked_[1].base, "main");
}

TEST_F(CiVerb, AShardHasADirectoryOfItsOwnAndIsMerged) {
    for (int number = 1; number <= 2; ++number) {
        made_ = result({number, 2});
        request_.run.shard = {number, 2};
        EXPECT_EQ(ci_with(gitlab()), 0);
        EXPECT_EQ(asked_.back().directory, tree_ / ("kmatrix-shard-" + std::to_string(number)));
    }
    EXPECT_THAT(text(tree_ / "kmatrix-shard-2/summary.md"), HasSubstr("2 of 2"));
    request_ = {};
    request_.shards = {tree_ / "kmatrix-shard-1", tree_ / "kmatrix-shard-2"};
    // Whatever the job is for.
    EXPECT_EQ(ci_with({{"GITLAB_CI", "true"}, {"CI_PROJECT_DIR", tree_}}), 0);
    EXPECT_THAT(asked_, SizeIs(2)); // nothing was run
    EXPECT_THAT(text(tree_ / "kmatrix-results/summary.md"),
                AllOf(HasSubstr("2 tests pass on both kernels"), Not(HasSubstr("2 of 2"))));
    EXPECT_THAT(text(tree_ / "kmatrix-results/junit.xml"), HasSubstr("arm64-default-4cpu-gcc"));
}

TEST_F(CiVerb, AFullSummaryOfTheStepIsNotWrittenBeyond) {
    const Environment environment = github();
    ASSERT_TRUE(write_file(root / "step_summary", std::string((1u << 20) - 50, 'x')));
    EXPECT_EQ(ci_with(environment), 0);
    EXPECT_LE(fs::file_size(root / "step_summary"), 1u << 20);
}

} // namespace
} // namespace kmatrix

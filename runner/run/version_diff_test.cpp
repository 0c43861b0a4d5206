// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/version_diff.h"

#include <fstream>

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class VersionDiffTest : public SmallTree {
  protected:
    // A run that tested a branch off `base`, and kept its patches.
    TestedSeries tested(int version, const std::string& base, const std::string& words) {
        const std::string name = "v" + std::to_string(version);
        git(argv("checkout", "-q", "-b", name, base));
        write("fs/new.c", words);
        commit("proc: add new.c");
        git(argv("checkout", "-q", "main"));
        const auto read = series(base + ".." + name);
        EXPECT_TRUE(read) << read.error().text();
        TestedSeries run{root_ / "runs" / name, {}};
        fs::create_directories(run.directory);
        std::ofstream(run.directory / "series.mbox") << read->mbox;
        run.info.id = name;
        run.info.tree = tree_.string();
        run.info.series = read->info();
        run.info.series.version = version;
        run.info.baseline_commit = read->base_commit;
        run.info.baseline_describe = "7.3.4";
        run.info.patched_tree = apply(*read, base)->patched.id;
        // The branch becomes the next version.
        git(argv("branch", "-q", "-D", name));
        return run;
    }
    VersionDiff diff(const TestedSeries& from, const TestedSeries& to) {
        return wait_for(version_diff(cache_, from, to));
    }
};

TEST_F(VersionDiffTest, IsOfThePatchesThatTheRunsKept) {
    const VersionDiff changed =
        diff(tested(2, "main", "old\nsecond\nthird\n"), tested(3, "main", "new\nsecond\nthird\n"));
    EXPECT_EQ(changed.why_not, "");
    EXPECT_THAT(changed.text,
                AllOf(HasSubstr("proc: add new.c"), HasSubstr("-+old"), HasSubstr("++new")));
    EXPECT_THAT(changed.notes, IsEmpty());
}

TEST_F(VersionDiffTest, SaysThatTheBasesDiffer) {
    const TestedSeries from = tested(2, "main", "old\nsecond\nthird\n");
    branch("next", "fs/b.c", "next\n");
    const VersionDiff changed = diff(from, tested(3, "next", "new\nsecond\nthird\n"));
    EXPECT_THAT(changed.text, HasSubstr("++new"));
    EXPECT_THAT(changed.notes, ElementsAre(AllOf(HasSubstr("v2 was applied to 7.3.4 ("),
                                                 HasSubstr("only the patches are compared"))));
}

TEST_F(VersionDiffTest, SaysWhatItLacks) {
    const TestedSeries to = tested(3, "main", "new\nsecond\nthird\n");
    TestedSeries from = tested(2, "main", "old\nsecond\nthird\n");
    const std::string kept = (from.directory / "series.mbox").string();

    TestedSeries moved = from;
    moved.info.baseline_commit = std::string(40, 'a');
    EXPECT_THAT(diff(moved, to).why_not,
                AllOf(HasSubstr("v2 (run v2) was applied to aaaa"), HasSubstr("not in")));

    fs::copy_file(to.directory / "series.mbox", kept, fs::copy_options::overwrite_existing);
    EXPECT_THAT(diff(from, to).why_not, HasSubstr("has others now"));

    fs::remove(kept);
    from.info.series.source = "-";
    EXPECT_THAT(diff(from, to).why_not, HasSubstr("the patches of v2 (run v2) are not kept"));

    TestedSeries elsewhere = to;
    elsewhere.info.tree = (root_ / "gone").string();
    EXPECT_THAT(diff(from, elsewhere).why_not, HasSubstr("no such directory"));
    from.info.noise = true;
    EXPECT_THAT(diff(from, to).why_not, HasSubstr("A/A"));
}

} // namespace
} // namespace kmatrix

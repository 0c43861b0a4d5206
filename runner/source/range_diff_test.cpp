// SPDX-License-Identifier: GPL-2.0-only
// With the real git; the branches' own commits say what the trees must be.
#include "runner/source/range_diff.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RangeDiffTest : public SmallTree {
  protected:
    // A branch of two commits off `base`, the second with these words.
    void make_version(const std::string& name, const std::string& base, const std::string& words) {
        git(argv("checkout", "-q", "-b", name, base));
        write("fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
        commit("proc: one");
        write("fs/new.c", words);
        commit("proc: two\n\nWords of " + name + ".");
        git(argv("checkout", "-q", "main"));
    }
    CommittedSeries committed(const std::string& range) {
        const auto read = series(range);
        EXPECT_TRUE(read) << read.error().text();
        Repository opened = repository();
        auto commits = wait_for(commit_series(cache_, opened, read->base_commit, *read));
        EXPECT_TRUE(commits) << commits.error().text();
        return *commits;
    }
    std::string diff(const CommittedSeries& from, const CommittedSeries& to) {
        const Repository opened = repository();
        const auto text = wait_for(range_diff(opened, from, to));
        EXPECT_TRUE(text) << text.error().text();
        return *text;
    }
};

TEST_F(RangeDiffTest, ShowsWhatChangedFromOneVersionToTheNext) {
    make_version("v1", "main", "old\nsecond\nthird\n");
    make_version("v2", "main", "new\nsecond\nthird\n");
    const CommittedSeries from = committed("main..v1"), to = committed("main..v2");
    EXPECT_EQ(from.tree + "\n", git(argv("rev-parse", "v1^{tree}")));
    const std::string text = diff(from, to);
    EXPECT_THAT(text, AllOf(HasSubstr(" = 1: "), HasSubstr("proc: one"), HasSubstr(" ! 2: "),
                            HasSubstr("-+old"), HasSubstr("++new"), HasSubstr("Words of v2.")));
    EXPECT_THAT(diff(from, from), Not(HasSubstr(" ! ")));
    // In kmatrix's repository, not in the user's.
    EXPECT_THAT(git(argv("cat-file", "-t", from.tip)), Not(HasSubstr("commit")));
}

TEST_F(RangeDiffTest, OverTwoBasesComparesThePatchesAlone) {
    make_version("v1", "main", "old\n");
    branch("next", "fs/b.c", "a change of somebody else's\n");
    make_version("v2", "next", "old\n");
    const std::string text = diff(committed("main..v1"), committed("next..v2"));
    EXPECT_THAT(text, AllOf(HasSubstr(" = 1: "), Not(HasSubstr("somebody else's"))));
}

} // namespace
} // namespace kmatrix

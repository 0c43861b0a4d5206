// SPDX-License-Identifier: GPL-2.0-only
// With the real git, on a small tree.
#include "runner/ci/range.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CiRange : public SmallTree {
  protected:
    CiRange() {
        branch("topic", "fs/a.c", numbers(41));
        write("fs/b.c", "of the target\n");
        commit("meanwhile");
    }

    std::string id(const std::string& revision) const {
        return std::string(trim(git(argv("rev-parse", revision))));
    }
    static Change change(const std::string& base, const std::string& head) {
        return {base, head, "a change", "git fetch origin x"};
    }
    Result<CommitRange> range(const Change& change, CiKind kind = CiKind::gitlab) {
        const Repository opened = repository();
        return wait_for(find_range(opened, change, kind));
    }
    Result<CommitRange> range_in(const fs::path& tree, const Change& change, CiKind kind) {
        const auto opened = wait_for(Repository::open(cache_.root(), tree));
        EXPECT_TRUE(opened) << opened.error().message;
        return wait_for(find_range(*opened, change, kind));
    }
};

TEST_F(CiRange, BeginsWhereTheChangeLeftItsTarget) {
    const auto found = range(change("main", "topic"));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->base, id("main~1"));
    EXPECT_EQ(found->head, id("topic"));
    EXPECT_THAT(found->notes, IsEmpty());
    const auto read = series(found->text());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->patches.size(), 1u);
}

TEST_F(CiRange, OfAMergeThatTheCiMadeIsTheChangesSide) {
    git(argv("checkout", "-q", "--detach", "main"));
    git(argv("merge", "-q", "--no-ff", "-m", "Merge topic into main", "topic"));
    const auto found = range(change("refs/heads/main", "HEAD"));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->base, id("main~1"));
    EXPECT_EQ(found->head, id("topic"));
    EXPECT_THAT(found->notes, ElementsAre(HasSubstr("the latter is what is tested")));
}

TEST_F(CiRange, RefusesAHeadThatIsInItsTarget) {
    const auto found = range(change("main", "main~1"));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().blame, Blame::user);
    EXPECT_THAT(found.error().message, HasSubstr("nothing to test"));
}

TEST_F(CiRange, SaysHowToFetchWhatIsNotThere) {
    const std::string nowhere(40, 'a');
    EXPECT_THAT(
        range(change(nowhere, "topic")).error().message,
        HasSubstr("the base " + nowhere + " is not there; fetch it before: git fetch origin x"));
    EXPECT_THAT(range(change("main", nowhere)).error().message,
                HasSubstr("the head " + nowhere + " is not there"));
}

TEST_F(CiRange, SaysOfAShallowCloneHowToHaveItDeep) {
    const fs::path shallow = root_ / "shallow";
    git(argv("clone", "-q", "--depth=1", "--branch=topic", "file://" + tree_.string(),
             shallow.string()));
    const Change asked = change(id("main"), "HEAD");
    for (const auto& [kind, words] : {std::pair{CiKind::github, "`fetch-depth: 0`"},
                                      std::pair{CiKind::gitlab, "`GIT_DEPTH: 0`"},
                                      std::pair{CiKind::jenkins, "\"shallow clone\""},
                                      std::pair{CiKind::none, "git fetch --unshallow"}}) {
        const auto found = range_in(shallow, asked, kind);
        ASSERT_FALSE(found);
        EXPECT_THAT(found.error().message,
                    testing::AllOf(HasSubstr("the checkout is shallow: "), HasSubstr(words)));
    }
}

TEST_F(CiRange, OfAShallowCloneWithoutTheCommonCommitSaysSo) {
    const fs::path shallow = root_ / "shallow";
    git(argv("clone", "-q", "--depth=1", "--no-single-branch", "file://" + tree_.string(),
             shallow.string()));
    const auto found = range_in(shallow, change("origin/main", "origin/topic"), CiKind::gitlab);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message,
                testing::AllOf(HasSubstr("have no commit in common"), HasSubstr("GIT_DEPTH: 0")));
}

} // namespace
} // namespace kmatrix

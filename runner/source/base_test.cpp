// SPDX-License-Identifier: GPL-2.0-only
// With the real git; what is found is compared with the ids of the commits that were made.
#include "runner/source/base.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/source/blobs.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class BaseTest : public SmallTree {
  protected:
    std::string id(const std::string& revision) const {
        return std::string(trim(git(argv("rev-parse", revision))));
    }
    // The patches of a range as files, and without what git would tell of the range.
    Series mailed(const std::string& range, const std::vector<std::string>& options = {}) {
        const std::string directory = (root_ / "patches").string();
        fs::remove_all(directory);
        std::vector<std::string> words = argv("format-patch", "-q", "-o", directory);
        words.insert(words.end(), options.begin(), options.end());
        words.push_back(range);
        git(words);
        auto read = series(directory);
        EXPECT_TRUE(read) << read.error().message;
        return *read;
    }
    Base base(const Series& series, const std::string& named = {}) {
        const Repository opened = repository();
        auto found = wait_for(find_base(opened, series, named));
        EXPECT_TRUE(found) << found.error().text();
        return *found;
    }
    // Two lines of development, and a topic upon the second.
    void make_topic() {
        branch("next", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
        git(argv("checkout", "-q", "next"));
        branch_from_here(
            "topic", "fs/a.c",
            with_line(with_line(numbers(40), "line 3\n", "three\n"), "line 5\n", "five\n"));
        git(argv("checkout", "-q", "main"));
    }
    void branch_from_here(const std::string& name, const std::string& path,
                          const std::string& text) const {
        git(argv("checkout", "-q", "-b", name));
        write(path, text);
        commit("topic: change " + path);
    }
};

TEST_F(BaseTest, TakesWhatIsNamedAndWhereARangeBegins) {
    make_topic();
    const auto range = series("next..topic");
    ASSERT_TRUE(range);
    EXPECT_EQ(base(*range).commit, id("next"));
    EXPECT_THAT(base(*range).how, HasSubstr("where the range begins"));
    const Base named = base(mailed("next..topic"), "main");
    EXPECT_EQ(named.commit, id("main"));
    EXPECT_THAT(named.how, HasSubstr("named with --base"));
    EXPECT_EQ(base(Series{}).commit, id("main"));
}

TEST_F(BaseTest, TakesTheBaseCommitLine) {
    make_topic();
    const Base found = base(mailed("next..topic", argv("--base=next")));
    EXPECT_EQ(found.commit, id("next"));
    EXPECT_THAT(found.how, AllOf(HasSubstr(id("next").substr(0, 12)), HasSubstr("base-commit")));
}

// The base is in no ref of the tree, but at a remote of it.
class FetchedBaseTest : public BaseTest {
  protected:
    FetchedBaseTest() {
        fs::create_directories(remote_);
        git(argv("clone", "-q", "--bare", tree_.string(), remote_.string()));
        git(argv("-C", remote_.string(), "config", "uploadpack.allowAnySHA1InWant", "true"));
        // Made in a clone that then goes away.
        const std::string clone = (root_ / "clone").string();
        git(argv("clone", "-q", remote_.string(), clone));
        const auto there = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"-C", clone});
            return git(words);
        };
        std::ofstream(clone + "/fs/b.c") << "base\n";
        there(argv("commit", "-q", "-a", "-m", "base of the series"));
        base_ = std::string(trim(there(argv("rev-parse", "HEAD"))));
        std::ofstream(clone + "/fs/a.c") << with_line(numbers(40), "line 5\n", "five\n");
        there(argv("commit", "-q", "-a", "-m", "the patch"));
        there(argv("format-patch", "-q", "--base=" + base_, "-o", (root_ / "patches").string(),
                   base_ + "..HEAD"));
        there(argv("push", "-q", "origin", base_ + ":refs/heads/passing"));
        git(argv("-C", remote_.string(), "update-ref", "-d", "refs/heads/passing"));
        fs::remove_all(clone);
    }
    Series given() {
        auto read = series((root_ / "patches").string());
        EXPECT_TRUE(read) << read.error().message;
        return *read;
    }

    fs::path remote_ = root_ / "remote.git";
    std::string base_;
};

TEST_F(FetchedBaseTest, IsFetchedIntoKmatrixsOwnRepository) {
    git(argv("remote", "add", "gone", (root_ / "nowhere").string()));
    git(argv("remote", "add", "upstream", "../remote.git"));
    const std::string before = git(argv("count-objects", "-v")) + git(argv("for-each-ref"));
    const Base found = base(given());
    EXPECT_EQ(found.commit, base_);
    EXPECT_THAT(found.how, AllOf(HasSubstr("base-commit line names"),
                                 HasSubstr("kmatrix fetched it from upstream")));
    const auto sources = wait_for(apply_series(cache_, repository(), base_, given()));
    ASSERT_TRUE(sources) << sources.error().text();
    EXPECT_EQ(sources->baseline_commit, base_);
    EXPECT_EQ(git(argv("count-objects", "-v")) + git(argv("for-each-ref")), before);
    EXPECT_FALSE(fs::exists(tree_ / ".git/FETCH_HEAD"));
    // To be resumed by its id, and found again when the remote is gone.
    const Repository opened = repository();
    EXPECT_EQ(*wait_for(opened.commit(base_)), base_);
    fs::remove_all(remote_);
    EXPECT_THAT(base(given()).how, HasSubstr("fetched it from a remote of the tree, before"));
}

TEST_F(FetchedBaseTest, OnlyWhatTheTreeLacksComesOver) {
    git(argv("remote", "add", "upstream", remote_.string()));
    base(given());
    Command count;
    count.argv = {"git", "count-objects", "-v"};
    count.environment = {"GIT_DIR=" + repository().own().string()};
    // A commit, its two trees and a blob.
    EXPECT_THAT(run_blocking(count)->output, HasSubstr("count: 4\n"));
}

TEST_F(FetchedBaseTest, SaysWhichRemotesHaveItNot) {
    EXPECT_THAT(base(given()).tried,
                testing::Contains(HasSubstr("has no remote to fetch it from")));
    git(argv("remote", "add", "gone", (root_ / "nowhere").string()));
    git(argv("clone", "-q", "--bare", tree_.string(), (root_ / "other.git").string()));
    git(argv("remote", "add", "other", (root_ / "other.git").string()));
    const Base found = base(given());
    EXPECT_EQ(found.commit, id("main"));
    EXPECT_THAT(found.tried,
                testing::Contains(AllOf(HasSubstr("its base-commit " + base_.substr(0, 12)),
                                        HasSubstr("gone: "), HasSubstr("other: "),
                                        HasSubstr("not our ref"))));
}

// Whoever set up the tree's remotes names no program that kmatrix runs.
TEST_F(FetchedBaseTest, RunsNoProgramThatARemoteNames) {
    const std::string ran = (root_ / "ran").string();
    git(argv("remote", "add", "evil", "ext::sh -c 'touch " + ran + "'"));
    git(argv("config", "remote.upstream.url", remote_.string()));
    git(argv("config", "remote.upstream.uploadpack", "touch " + ran + "; git-upload-pack"));
    git(argv("config", "core.sshCommand", "touch " + ran));
    EXPECT_EQ(base(given()).commit, base_);
    EXPECT_FALSE(fs::exists(ran));
}

TEST_F(FetchedBaseTest, AShallowCloneIsLeftAsItIs) {
    const std::string shallow = (root_ / "shallow").string();
    write("fs/b.c", "more\n");
    commit("more");
    git(argv("clone", "-q", "--depth=1", "file://" + tree_.string(), shallow));
    const auto opened = wait_for(Repository::open(cache_.root(), shallow));
    ASSERT_TRUE(opened);
    const auto found = wait_for(find_base(*opened, given(), {}));
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_THAT(found->tried, testing::Contains(HasSubstr("shallow clone")));
}

TEST_F(BaseTest, FindsTheBranchWhoseFilesTheDiffsName) {
    make_topic();
    Series series = mailed("next..topic");
    git(argv("branch", "-q", "-D", "topic"));
    const Base found = base(series);
    EXPECT_EQ(found.commit, id("next"));
    EXPECT_THAT(found.how, HasSubstr("next, where the files"));
    EXPECT_THAT(found.tried, ElementsAre("it has no base-commit line"));
    series.base_commit = std::string(40, 'a');
    EXPECT_THAT(base(series).tried,
                ElementsAre(HasSubstr("its base-commit aaaaaaaaaaaa is not in the tree")));
}

TEST_F(BaseTest, FindsAnEarlierStateOfABranch) {
    make_topic();
    const Series series = mailed("next..topic");
    git(argv("branch", "-q", "-D", "topic"));
    const std::string before = id("next");
    git(argv("checkout", "-q", "next"));
    write("fs/b.c", "elsewhere\n");
    commit("another file");
    const std::string last = id("HEAD");
    write("fs/a.c", "all new\n");
    commit("the same file");
    git(argv("checkout", "-q", "main"));
    const Base found = base(series);
    EXPECT_EQ(found.commit, last); // the last commit with that fs/a.c, not the one that made it
    EXPECT_NE(found.commit, before);
    EXPECT_THAT(found.how, HasSubstr("an earlier state of next"));
}

TEST_F(BaseTest, FindsThePrerequisitePatches) {
    make_topic();
    const Series series = mailed("next..topic", argv("--base=main"));
    ASSERT_EQ(series.prerequisites.size(), 1u);
    EXPECT_EQ(series.base_commit, id("main"));
    git(argv("branch", "-q", "-D", "topic"));
    const Base found = base(series);
    EXPECT_EQ(found.commit, id("next"));
    EXPECT_THAT(found.how, HasSubstr("in next the last of the 1 patches"));
    // Without them the line below is what is left.
    git(argv("branch", "-q", "-D", "next"));
    const Base left = base(series);
    EXPECT_EQ(left.commit, id("main"));
    EXPECT_THAT(left.tried, ElementsAre(HasSubstr("prerequisite patches")));
}

TEST_F(BaseTest, FallsBackToHeadAndSaysWhatWasTried) {
    make_topic();
    const Series series = mailed("next..topic");
    git(argv("branch", "-q", "-D", "topic"));
    git(argv("branch", "-q", "-D", "next"));
    const Base found = base(series);
    EXPECT_EQ(found.commit, id("main"));
    EXPECT_THAT(found.how, HasSubstr("HEAD, for want of a better"));
    EXPECT_THAT(found.tried,
                ElementsAre("it has no base-commit line", HasSubstr("none of 1 branches")));
}

TEST(BlobsBefore, AreThoseOfTheFirstPatchThatTouchesAFile) {
    Series series;
    for (const char* diff :
         {"diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n"
          "+b\ndiff --git a/new b/new\nnew file mode 100644\nindex 0000000..3333333\n"
          "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n",
          "diff --git a/x b/x\nindex 2222222..4444444 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n"
          "+c\ndiff --git a/new b/new\nindex 3333333..5555555 100644\n--- a/new\n+++ b/new\n"
          "@@ -1 +1 @@\n-a\n+c\n"}) {
        Patch patch;
        patch.files = parse_diff(diff);
        series.patches.push_back(patch);
    }
    EXPECT_THAT(blobs_before(series), ElementsAre(Pair("new", ""), Pair("x", "1111111")));
    EXPECT_TRUE(agrees(blobs_before(series), {{"x", "1111111fff"}, {"y", "0"}}));
    EXPECT_FALSE(agrees(blobs_before(series), {{"x", "1111111fff"}, {"new", "3"}}));
    EXPECT_FALSE(agrees(blobs_before(series), {}));
}

} // namespace
} // namespace kmatrix

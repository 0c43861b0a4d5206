// SPDX-License-Identifier: GPL-2.0-only
// With the real git, on trees of five small files.
#include "runner/source/sources.h"

#include <gmock/gmock.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SourcesTest : public SmallTree {};

TEST_F(SourcesTest, AppliesARangeAndSaysWhatChanges) {
    git(argv("checkout", "-q", "-b", "topic"));
    write("fs/a.c", with_line(numbers(40), "line 20\n", "line twenty\n"));
    commit("one");
    write("fs/new.c", "new\n");
    fs::remove(tree_ / "fs/b.c");
    commit("two");
    git(argv("checkout", "-q", "main"));

    const auto read = series("main..topic");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->patches.size(), 2u);
    EXPECT_EQ(read->patches[0].subject, "one");
    EXPECT_TRUE(read->is_range);
    EXPECT_EQ(read->base_commit + "\n", git(argv("rev-parse", "main")));
    const auto sources = apply(*read);
    ASSERT_TRUE(sources) << sources.error().message;
    EXPECT_EQ(sources->baseline.version, "7.3.4");
    EXPECT_EQ(sources->patched.id + "\n", git(argv("rev-parse", "topic^{tree}")));
    EXPECT_THAT(sources->written, ElementsAre("fs/a.c", "fs/new.c"));
    EXPECT_THAT(sources->removed, ElementsAre("fs/b.c"));
    EXPECT_THAT(sources->notes, IsEmpty());
    EXPECT_EQ(series("topic")->patches.size(), 2u); // a branch, from where it left HEAD
}

TEST_F(SourcesTest, AppliesFilesOfADirectory) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
    git(argv("format-patch", "-q", "-o", (root_ / "patches").string(), "main..topic"));
    const auto read = series((root_ / "patches").string());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->author, "U <u@x.org>");
    EXPECT_EQ(read->patches.at(0).origin, "0001-change-fs-a.c.patch");
    const auto sources = apply(*read);
    ASSERT_TRUE(sources) << sources.error().message;
    EXPECT_EQ(sources->patched.id + "\n", git(argv("rev-parse", "topic^{tree}")));
}

TEST_F(SourcesTest, AppliesEachPatchByItself) {
    git(argv("checkout", "-q", "-b", "topic"));
    write("fs/a.c", with_line(numbers(40), "line 20\n", "line twenty\n"));
    commit("one");
    write("fs/new.c", "new\n");
    commit("two");
    fs::remove(tree_ / "fs/new.c");
    commit("three");
    git(argv("checkout", "-q", "main"));
    const auto read = series("main..topic");
    ASSERT_TRUE(read) << read.error().message;
    Repository opened = repository();
    const auto base = wait_for(opened.commit("main"));
    const auto steps = wait_for(apply_each(cache_, opened, *base, *read));
    ASSERT_TRUE(steps) << steps.error().message;
    ASSERT_EQ(steps->size(), 3u);
    EXPECT_EQ((*steps)[0].patched.id + "\n", git(argv("rev-parse", "topic~2^{tree}")));
    EXPECT_EQ((*steps)[1].patched.id + "\n", git(argv("rev-parse", "topic~1^{tree}")));
    EXPECT_EQ(steps->back().patched.id, apply(*read)->patched.id);
    EXPECT_THAT((*steps)[1].written, ElementsAre("fs/a.c", "fs/new.c"));
    EXPECT_THAT(steps->back().written, ElementsAre("fs/a.c"));
    // Each is against the baseline, not against the patch before it.
    EXPECT_THAT(steps->back().removed, IsEmpty());
    EXPECT_EQ((*steps)[1].baseline.id, steps->back().baseline.id);
}

TEST_F(SourcesTest, SaysThatSpacesWereChanged) {
    write("fs/tabs.c", "{\n\tone();\n\ttwo();\n}\n");
    commit("tabs");
    branch("topic", "fs/tabs.c", "{\n\tone();\n\tthree();\n}\n");
    auto read = series("main..topic");
    ASSERT_TRUE(read);
    std::string& diff = read->patches.at(0).diff;
    for (std::size_t tab = diff.find('\t'); tab != std::string::npos; tab = diff.find('\t'))
        diff.replace(tab, 1, "        ");
    const auto sources = apply(*read);
    ASSERT_FALSE(sources);
    EXPECT_THAT(sources.error().message, HasSubstr("is mangled"));
    EXPECT_THAT(sources.error().message, HasSubstr("spaces and tabs"));
}

TEST_F(SourcesTest, NamesThePatchAndTheHunkThatDoesNotApply) {
    branch("topic", "fs/a.c",
           with_line(with_line(numbers(40), "line 3\n", "three\n"), "line 30\n", "thirty\n"));
    const auto read = series("main..topic");
    write("fs/a.c", with_line(numbers(40), "line 30\n", "something else\n"));
    commit("in the way");
    const auto sources = apply(*read);
    ASSERT_FALSE(sources);
    EXPECT_EQ(sources.error().blame, Blame::user);
    EXPECT_THAT(sources.error().message, HasSubstr("patch 1 of 1 (\"change fs/a.c\""));
    EXPECT_THAT(sources.error().message, HasSubstr("hunk 2 of fs/a.c (@@ -27,7 +27,7 @@ line 26)"));
    EXPECT_THAT(sources.error().output_tail, HasSubstr("patch failed: fs/a.c:27"));
}

TEST_F(SourcesTest, MergesWhereTheContextMovedAndSaysSo) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 30\n", "thirty\n"));
    const auto read = series("main..topic");
    // Next to the context's edge: no plain patch applies, a merge does.
    write("fs/a.c", with_line(numbers(40), "line 27\n", "another\n"));
    commit("nearby");
    const auto sources = apply(*read);
    ASSERT_TRUE(sources) << sources.error().text();
    EXPECT_THAT(sources->notes, ElementsAre(HasSubstr("three-way merge")));
}

TEST_F(SourcesTest, SeesThatTheBaselineHasItAlready) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 30\n", "thirty\n"));
    const auto read = series("main..topic");
    const auto sources = apply(*read, "topic");
    ASSERT_FALSE(sources);
    EXPECT_THAT(sources.error().message, HasSubstr("the baseline has it already"));
}

TEST_F(SourcesTest, RefusesAPatchThatWritesThroughALink) {
    Series read;
    Patch patch;
    patch.subject = "evil";
    // A diff that names no mode: only the tree knows that this is a link.
    patch.diff = "--- a/link\n+++ b/link\n@@ -1 +1 @@\n-fs/a.c\n\\ No newline at end of file\n"
                 "+/etc/passwd\n\\ No newline at end of file\n";
    patch.files = parse_diff(patch.diff);
    read.patches.push_back(patch);
    const auto sources = apply(read);
    ASSERT_FALSE(sources);
    EXPECT_EQ(sources.error().blame, Blame::user);
    EXPECT_THAT(sources.error().message, HasSubstr("link: no regular file"));
}

TEST_F(SourcesTest, LeavesTheUsersTreeAlone) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
    write("fs/b.c", "dirty\n");
    write("untracked", "x\n");
    fs::create_directories(tree_ / ".git/rebase-merge");
    const auto state = [&] {
        return git(argv("status", "--porcelain")) + git(argv("for-each-ref")) +
               git(argv("stash", "list")) + git(argv("config", "--local", "--list")) +
               read_file(tree_ / ".git/index").value_or("?");
    };
    const std::string before = state();
    const Repository opened = repository();
    EXPECT_THAT(opened.notes(), ElementsAre(HasSubstr("rebase"), HasSubstr("uncommitted changes")));
    const auto read = series("main..topic");
    ASSERT_TRUE(apply(*read));
    EXPECT_EQ(state(), before);
}

TEST_F(SourcesTest, ReadsWorktreesAndShallowClones) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
    git(argv("worktree", "add", "-q", (root_ / "worktree").string(), "topic"));
    const fs::path main_tree = tree_;
    tree_ = root_ / "worktree";
    EXPECT_TRUE(apply(*series("main..HEAD")));

    for (const char* depth : {"--depth=1", "--depth=2"}) {
        tree_ = main_tree;
        const fs::path clone = root_ / depth;
        git(argv("clone", "-q", depth, "--no-single-branch", "file://" + main_tree.string(),
                 clone.string()));
        tree_ = clone;
        const auto read = series("origin/main..origin/topic");
        if (depth == std::string("--depth=2")) {
            ASSERT_TRUE(read) << read.error().text();
            EXPECT_TRUE(apply(*read));
        } else {
            ASSERT_FALSE(read); // cut off at topic's own commit, whose diff nobody knows
            EXPECT_THAT(read.error().message, HasSubstr("shallow"));
        }
    }
}

TEST_F(SourcesTest, ExplainsWhatIsNoTreeToWorkWith) {
    const auto refused = [&](const fs::path& path) {
        const auto opened = wait_for(Repository::open(cache_.root(), path));
        EXPECT_FALSE(opened);
        EXPECT_EQ(opened.error().blame, Blame::user);
        return opened.error().message;
    };
    EXPECT_THAT(refused(root_ / "nowhere"), HasSubstr("no such directory"));
    EXPECT_THAT(refused(tree_ / "fs"), HasSubstr("a directory inside of a git tree"));
    fs::create_directories(root_ / "plain");
    EXPECT_THAT(refused(root_ / "plain"), HasSubstr("git -C"));
    const fs::path full = tree_;
    tree_ = root_ / "plain";
    git(argv("init", "-q"));
    EXPECT_THAT(refused(tree_), HasSubstr("no commit yet"));
    write("x", "x\n");
    commit("no kernel");
    Series series;
    const auto sources = apply(series, "HEAD");
    ASSERT_FALSE(sources);
    EXPECT_THAT(sources.error().message, HasSubstr("no kernel source"));
}

TEST_F(SourcesTest, RefusesSourcesThatAreNoSeries) {
    const auto refused = [&](const std::string& source) {
        const auto read = series(source);
        EXPECT_FALSE(read) << source;
        EXPECT_EQ(read ? Blame::infrastructure : read.error().blame, Blame::user);
        return read ? "" : read.error().message;
    };
    EXPECT_THAT(refused("nothing"), HasSubstr("no such file or directory"));
    EXPECT_THAT(refused("main..main"), HasSubstr("no commit in it"));
    EXPECT_THAT(refused("main...topic"), HasSubstr("three dots"));
    EXPECT_THAT(refused("https://lore.kernel.org/all/x"), HasSubstr("neither a Message-ID"));
    EXPECT_THAT(refused("--upload-pack=x"), HasSubstr("no revision"));
    fs::create_directories(root_ / "empty");
    EXPECT_THAT(refused((root_ / "empty").string()), HasSubstr("no *.patch"));
    std::ofstream(root_ / "x.gz") << "\x1f\x8b\x08";
    EXPECT_THAT(refused((root_ / "x.gz").string()), HasSubstr("cannot be unpacked"));
    branch("topic", "fs/a.c", "x\n");
    write("fs/b.c", "other\n");
    commit("main goes on");
    git(argv("checkout", "-q", "-b", "merged"));
    git(argv("merge", "-q", "-m", "merge", "topic"));
    EXPECT_THAT(refused("main..merged"), HasSubstr("is a merge"));
}

TEST_F(SourcesTest, ChecksTheBaselineOutOnceWithOldTimesAndWritesChangesWithNewOnes) {
    branch("topic", "fs/a.c", "changed\n");
    const auto sources = apply(*series("main..topic"));
    ASSERT_TRUE(sources);
    const auto entry = wait_for(checkout_baseline(cache_, *sources));
    ASSERT_TRUE(entry) << entry.error().text();
    const fs::path source = entry->directory() / "source";
    EXPECT_EQ(read_file(source / "fs/a.c").value_or(""), numbers(40));
    EXPECT_EQ(fs::read_symlink(source / "link"), "fs/a.c");
    EXPECT_NE(fs::status(source / "run.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
    EXPECT_FALSE(fs::exists(source / ".git"));
    const auto old_time = fs::last_write_time(source / "fs/a.c");
    EXPECT_EQ(fs::last_write_time(source / "fs"), old_time);
    EXPECT_EQ(fs::last_write_time(source), old_time);
    EXPECT_LT(old_time, fs::file_time_type::clock::now() - std::chrono::hours(24 * 365));
    EXPECT_TRUE(wait_for(checkout_baseline(cache_, *sources))->found());

    const fs::path upper = root_ / "upper";
    fs::create_directories(upper);
    ASSERT_TRUE(wait_for(write_changes(cache_, *sources, upper)));
    EXPECT_EQ(read_file(upper / "fs/a.c").value_or(""), "changed\n");
    EXPECT_FALSE(fs::exists(upper / "fs/b.c"));
    EXPECT_GT(fs::last_write_time(upper / "fs/a.c"),
              fs::file_time_type::clock::now() - std::chrono::minutes(5));
}

TEST(KernelVersion, IsReadFromTheMakefile) {
    EXPECT_EQ(kernel_version(makefile), "7.3.4");
    EXPECT_EQ(kernel_version("VERSION = 7\nPATCHLEVEL = 4\nSUBLEVEL = 0\nEXTRAVERSION = -rc1\n"),
              "7.4.0-rc1");
    EXPECT_EQ(kernel_version("all:\n\tcc x\n"), "");
}

TEST(RefusedHunk, IsNamedOrGitsWordsAreKept) {
    const auto files = parse_diff("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@ g\n-a\n+b\n");
    EXPECT_EQ(refused_hunk(files, "error: patch failed: f:9\nerror: f: patch does not apply"),
              "hunk 2 of f (@@ -9 +9 @@ g)");
    EXPECT_EQ(refused_hunk(files, "error: patch failed: f:77\n"), "f at line 77");
    EXPECT_EQ(refused_hunk(files, "warning: x\nerror: fs/x.c: does not exist in index\n"),
              "fs/x.c: does not exist in index");
    EXPECT_EQ(refused_hunk(files, "strange"), "strange");
}

} // namespace
} // namespace kmatrix

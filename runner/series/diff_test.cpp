// SPDX-License-Identifier: GPL-2.0-only
// The diffs are as `git diff` writes them, or what a hostile hand would make of them.
#include "runner/series/diff.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Diff, ReadsPathsModesAndHunks) {
    const auto files = parse_diff("diff --git a/fs/a.c b/fs/a.c\n"
                                  "index 1111111..2222222 100644\n"
                                  "--- a/fs/a.c\n"
                                  "+++ b/fs/a.c\n"
                                  "@@ -3,2 +3,3 @@ int f(void)\n"
                                  " one\n"
                                  "+two\n"
                                  " three\n"
                                  "@@ -40 +41 @@\n"
                                  "-x\n"
                                  "+y\n"
                                  "-- \n"
                                  "2.39.5\n");
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].old_path, "fs/a.c");
    EXPECT_EQ(files[0].new_path, "fs/a.c");
    EXPECT_THAT(files[0].modes, ElementsAre("100644"));
    ASSERT_EQ(files[0].hunks.size(), 2u);
    EXPECT_EQ(files[0].hunks[0].old_start, 3);
    EXPECT_EQ(files[0].hunks[0].header, "@@ -3,2 +3,3 @@ int f(void)");
    EXPECT_EQ(files[0].hunks[1].old_start, 40);
    EXPECT_FALSE(refusal(files[0]));
}

TEST(Diff, DoesNotTakeAHunksLinesForHeaders) {
    // A removed line "-- a/x" and an added one "++ b/x" look like a file's header.
    const auto files = parse_diff("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n--- a/x\n+++ b/x\n"
                                  "--- a/g\n+++ b/g\n@@ -1,1 +1,1 @@\n-a\n+b\n");
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].new_path, "f");
    EXPECT_EQ(files[1].new_path, "g");
}

TEST(Diff, ReadsAddedRemovedRenamedAndEmptyFiles) {
    const auto files =
        parse_diff("diff --git a/new.c b/new.c\nnew file mode 100644\n"
                   "index 0000000..1\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+x\n"
                   "diff --git a/old.c b/old.c\ndeleted file mode 100755\n"
                   "index 1..0000000\n--- a/old.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
                   "diff --git a/from.c b/to.c\nsimilarity index 100%\n"
                   "rename from from.c\nrename to to.c\n"
                   "diff --git a/empty b/empty\nnew file mode 100644\nindex 0..e\n");
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[0].old_path, "");
    EXPECT_EQ(files[0].path(), "new.c");
    EXPECT_EQ(files[1].new_path, "");
    EXPECT_EQ(files[1].path(), "old.c");
    EXPECT_EQ(files[2].old_path, "from.c");
    EXPECT_EQ(files[2].new_path, "to.c");
    EXPECT_EQ(files[3].path(), "empty");
    for (const FileDiff& file : files)
        EXPECT_FALSE(refusal(file)) << file.path();
}

TEST(Diff, ReadsPathsWithSpacesTimesAndQuotes) {
    const auto files = parse_diff("--- x/y.c\t2026-01-01 00:00:00\n+++ x/y.c\t2026-01-02\n"
                                  "@@ -1 +1 @@\n-a\n+b\n"
                                  "diff --git a/a b/c.txt b/a b/c.txt\nold mode 100644\n"
                                  "new mode 100755\n"
                                  "diff --git \"a/t\\tb\" \"b/t\\tb\"\nold mode 100644\n"
                                  "new mode 100755\n");
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].path(), "y.c");
    EXPECT_EQ(files[1].path(), "a b/c.txt");
    EXPECT_EQ(files[2].path(), "t\tb");
    EXPECT_THAT(refusal(files[2]).value_or(""), HasSubstr("control byte"));
}

TEST(Diff, RefusesPathsThatLeaveTheTreeOrAreGits) {
    for (const char* path :
         {"../x", "a/../../x", "/etc/passwd", "a//b", "./a", "a/.", ".git/config", "a/.GIT/hooks/x",
          ".git./x", ".gitmodules", "sub/.gitattributes", "a\nb", "a\x7f", "a\xff", ""})
        EXPECT_TRUE(path_refusal(path)) << path;
    for (const char* path : {"fs/proc/task_mmu.c", "tools/testing/selftests/proc/.gitignore",
                             "a/..b", "a/.gitkeep", "Documentation/ü.rst", "a b"})
        EXPECT_FALSE(path_refusal(path)) << path;
}

TEST(Diff, RefusesLinksAndSubmodulesHoweverTheyAreSaid) {
    const auto added = parse_diff("diff --git a/l b/l\nnew file mode 120000\nindex 0..1\n"
                                  "--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n");
    EXPECT_THAT(refusal(added.at(0)).value_or(""), HasSubstr("l: a symbolic link (mode 120000)"));
    const auto changed = parse_diff("diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n"
                                    "@@ -1 +1 @@\n-a\n+/etc\n");
    EXPECT_THAT(refusal(changed.at(0)).value_or(""), HasSubstr("symbolic link"));
    const auto module = parse_diff("diff --git a/m b/m\nnew file mode 160000\nindex 0..1\n");
    EXPECT_THAT(refusal(module.at(0)).value_or(""), HasSubstr("submodule"));
    const auto setuid = parse_diff("diff --git a/m b/m\nold mode 100644\nnew mode 104755\n");
    EXPECT_TRUE(refusal(setuid.at(0)));
}

TEST(Diff, SurvivesWhatIsNoDiff) {
    EXPECT_TRUE(parse_diff("").empty());
    EXPECT_TRUE(parse_diff("+++ b/x\n@@ -1 +1 @@\n words\n").empty());
    EXPECT_EQ(parse_diff("diff --git \n").size(), 1u);
    EXPECT_EQ(parse_diff("diff --git \"a/x\n").size(), 1u);
    EXPECT_TRUE(refusal(parse_diff("diff --git \n").at(0)));
    // Absurd numbers, and a hunk that never ends.
    EXPECT_EQ(parse_diff("--- a/f\n+++ b/f\n@@ -99999999999999,1 +1 @@\n+x\n").size(), 1u);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Damage as mail programs do it, by hand.
#include "runner/series/mangled.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::HasSubstr;

const std::string header = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";

std::string of(const std::string& hunks) {
    return damage(header + hunks).value_or("");
}

TEST(Mangled, LeavesWholeDiffsAlone) {
    EXPECT_EQ(damage(""), std::nullopt);
    EXPECT_EQ(of("@@ -1,2 +1,3 @@ f\n a\n+b\n\n-- \n2.39.5\n"), ""); // a blank line cut to nothing
    EXPECT_EQ(of("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
                 "\\ No newline at end of file\n-- \n2.39\n"),
              "");
    EXPECT_EQ(of("@@ -1 +1 @@\n-a\n+b\n@@ -9,0 +10 @@\n+c\n--- a/g\n+++ b/g\n@@ -1 +0,0 @@\n-x\n"
                 "base-commit: 0123\n--\n2.39\n"),
              "");
    EXPECT_EQ(of("@@ -1 +1 @@\n-a\n+b\n\n____\nlist mailing list\n"), "");
}

TEST(Mangled, FindsWrappedLines) {
    const std::string what = of("@@ -1,2 +1,2 @@\n-a line that is\nlong\n+b\n c\n");
    EXPECT_THAT(what, HasSubstr("line 6"));
    EXPECT_THAT(what, HasSubstr("b/f"));
    EXPECT_THAT(what, HasSubstr("wrapped"));
    EXPECT_THAT(of("@@ -1,7 +1,7\n@@ static int f(void)\n-a\n+b\n"), HasSubstr("cannot be read"));
    EXPECT_THAT(of("@@ -1,2 +1,2 @@\n-a\n+b\n\xc2\xa0"
                   "c\n"),
                HasSubstr("line 7")); // a space that cannot break
}

TEST(Mangled, FindsLinesThatAreTooFewOrTooMany) {
    EXPECT_THAT(of("@@ -1,3 +1,3 @@\n-a\n+b\n c\n"), HasSubstr("in the middle of a hunk"));
    EXPECT_THAT(of("@@ -1 +1 @@\n-a\n+b\n+c\n"), HasSubstr("one more than"));
    EXPECT_THAT(of("@@ -1,2 +1 @@\n-a\n+b\n+c\n"), HasSubstr("one more than"));
}

} // namespace
} // namespace kmatrix

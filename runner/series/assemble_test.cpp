// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/series.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string diff_of(const std::string& path) {
    return fmt::format("diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-a\n+b\n", path);
}

SeriesMail mail(const std::string& subject, const std::string& diff = diff_of("fs/a.c")) {
    SeriesMail mail;
    mail.mail.subject = subject;
    mail.mail.author = "A <a@x.org>";
    mail.mail.message_id = "id of " + subject;
    mail.mail.diff = diff;
    mail.origin = "file";
    return mail;
}

std::string refused(std::vector<SeriesMail> mails) {
    const auto series = assemble_series(std::move(mails), "s");
    EXPECT_FALSE(series);
    if (series)
        return "";
    EXPECT_EQ(series.error().blame, Blame::user);
    return series.error().message;
}

TEST(Assemble, OrdersByNumberAndKeepsTheCoverLetterApart) {
    auto cover = mail("[PATCH v2 0/2] all of it", "");
    cover.mail.text = "words\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n";
    const auto series = assemble_series(
        {mail("[PATCH v2 2/2] two"), cover, mail("[PATCH v2 1/2] one", diff_of("fs/b.c"))}, "s");
    ASSERT_TRUE(series) << series.error().message;
    EXPECT_EQ(series->subject, "all of it");
    EXPECT_EQ(series->version, 2);
    EXPECT_EQ(series->message_id, "id of [PATCH v2 0/2] all of it");
    EXPECT_EQ(series->base_commit, "0123456789abcdef0123456789abcdef01234567");
    ASSERT_EQ(series->patches.size(), 2u);
    EXPECT_EQ(series->patches[0].subject, "one");
    EXPECT_EQ(series->patches[0].files.at(0).path(), "fs/b.c");
    EXPECT_EQ(series->patches[1].subject, "two");
    EXPECT_THAT(series->selftests_edited(), IsEmpty());
    EXPECT_THAT(series->info().patches, ElementsAre("one", "two"));
}

TEST(Assemble, KeepsTheGivenOrderWithoutNumbers) {
    const auto series = assemble_series({mail("[PATCH] b"), mail("[PATCH] a")}, "s");
    ASSERT_TRUE(series);
    EXPECT_EQ(series->patches[0].subject, "b");
    EXPECT_EQ(series->subject, "b");
}

TEST(Assemble, NamesWhatIsMissing) {
    EXPECT_THAT(refused({mail("[PATCH 1/4] a"), mail("[PATCH 3/4] c")}),
                HasSubstr("the series has 4 patches, and 2/4, 4/4 are missing"));
    EXPECT_THAT(refused({mail("[PATCH 2/2] a")}), HasSubstr("1/2 is missing"));
}

TEST(Assemble, RefusesMixtures) {
    EXPECT_THAT(refused({mail("[PATCH 1/2] a"), mail("[PATCH v2 2/2] b")}),
                HasSubstr("different versions lie together (v1, v2)"));
    EXPECT_THAT(refused({mail("[PATCH 1/2] a"), mail("[PATCH 2/3] b")}),
                HasSubstr("different series"));
    EXPECT_THAT(refused({mail("[PATCH 1/2] a"), mail("[PATCH 1/2] b", diff_of("fs/b.c"))}),
                HasSubstr("two patches say that they are 1/2"));
    EXPECT_THAT(refused({mail("[PATCH 1/1] a"), mail("[PATCH] b")}), HasSubstr("some are not"));
    EXPECT_THAT(
        refused({mail("[PATCH 0/1] a", ""), mail("[PATCH 0/1] b", ""), mail("[PATCH 1/1] c")}),
        HasSubstr("two cover letters"));
    EXPECT_THAT(refused({mail("[PATCH v3 0/1] a", ""), mail("[PATCH v2 1/1] c")}),
                HasSubstr("cover letter is of v3, the patches are of v2"));
    EXPECT_THAT(refused({mail("[PATCH 3/2] a")}), HasSubstr("3/2"));
}

TEST(Assemble, RefusesWhatHoldsNoPatch) {
    EXPECT_THAT(refused({}), HasSubstr("there is no patch in it"));
    EXPECT_THAT(refused({mail("[PATCH 0/2] a", "")}), HasSubstr("there is no patch in it"));
    EXPECT_THAT(refused({mail("[PATCH 1/2] a", ""), mail("[PATCH 2/2] b")}),
                HasSubstr("it has no diff"));
    EXPECT_THAT(refused({mail("[PATCH] a", "---\nbinary rubbish\n")}), HasSubstr("no file's diff"));
}

TEST(Assemble, TakesZeroOfZeroForACoverLetterThatCountsNothing) {
    const auto series =
        assemble_series({mail("[PATCH 0/0] all", ""), mail("[PATCH] a"), mail("[PATCH] b")}, "s");
    ASSERT_TRUE(series) << series.error().message;
    EXPECT_EQ(series->subject, "all");
    EXPECT_EQ(series->patches.size(), 2u);
    EXPECT_THAT(refused({mail("[PATCH 0/3] all", ""), mail("[PATCH] a"), mail("[PATCH] b")}),
                HasSubstr("of 3 patches, and 2 are there"));
    EXPECT_THAT(
        refused({mail("[PATCH 0/3] all", ""), mail("[PATCH 1/2] a"), mail("[PATCH 2/2] b")}),
        HasSubstr("of 3 patches, and 2 are there"));
}

TEST(Assemble, ReadsTheLinesOfFormatPatchBase) {
    auto one = mail("[PATCH] a");
    one.mail.diff += "\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n"
                     "prerequisite-patch-id: 1123456789abcdef0123456789abcdef01234567\n"
                     "prerequisite-patch-id: --output=x\n"
                     "prerequisite-patch-id: 2123456789abcdef0123456789abcdef01234567\n-- \n2.39\n";
    const auto series = assemble_series({one}, "s");
    ASSERT_TRUE(series) << series.error().message;
    EXPECT_EQ(series->base_commit, "0123456789abcdef0123456789abcdef01234567");
    EXPECT_THAT(series->prerequisites, ElementsAre("1123456789abcdef0123456789abcdef01234567",
                                                   "2123456789abcdef0123456789abcdef01234567"));
}

TEST(Assemble, ReadsTheChangeIdOfB4) {
    auto cover = mail("[PATCH v2 0/1] all", "");
    cover.mail.text = "Words.\n\n---\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n"
                      "change-id: 20260101-all-0123456789ab\n\nBest regards,\n";
    const auto series = assemble_series({cover, mail("[PATCH v2 1/1] a")}, "s");
    ASSERT_TRUE(series) << series.error().message;
    EXPECT_EQ(series->change_id, "20260101-all-0123456789ab");
    EXPECT_EQ(series->info().change_id, series->change_id);
    for (const char* none : {"change-id: two words\n", "change-id:\n", "change-id: a\x1b[31m\n"}) {
        auto one = mail("[PATCH] a");
        one.mail.text = none;
        EXPECT_EQ(assemble_series({one}, "s")->change_id, "") << none;
    }
}

TEST(Assemble, RefusesMangledPatchesWithThatWord) {
    auto flowed = mail("[PATCH] a");
    flowed.mail.is_flowed = true;
    EXPECT_THAT(refused({flowed}), HasSubstr("mangled: it was sent as format=flowed"));
    const std::string why =
        refused({mail("[PATCH 1/2] a"),
                 mail("[PATCH 2/2] wrapped", diff_of("fs/b.c") + "@@ -9 +9 @@\n-a\nb\n")});
    EXPECT_THAT(why, HasSubstr("file (\"wrapped\"): mangled: line 9 of its diff (b/fs/b.c)"));
}

TEST(Assemble, RefusesControlCharactersBeforeGitSeesThem) {
    auto evil = mail("[PATCH] a");
    evil.mail.unwelcome = "its Subject holds a bell";
    EXPECT_THAT(refused({evil}), HasSubstr("refused: its Subject holds a bell"));
    auto cover = mail("[PATCH 0/1] a", "");
    cover.mail.unwelcome = "its From holds a bell";
    EXPECT_THAT(refused({cover, mail("[PATCH 1/1] b")}), HasSubstr("its From holds a bell"));
}

TEST(Assemble, RefusesFiveThousandParts) {
    EXPECT_THAT(refused({mail("[PATCH 1/5000] a")}),
                HasSubstr("refused: it says that it has 5000"));
    std::vector<SeriesMail> many;
    many.reserve(1001);
    for (int i = 0; i < 1001; ++i)
        many.push_back(mail("[PATCH] " + std::to_string(i)));
    EXPECT_THAT(refused(std::move(many)), HasSubstr("refused: 1001 patches"));
}

TEST(Assemble, LeavesRepliesOutAndSaysSo) {
    const auto series = assemble_series({mail("[PATCH] a"), mail("Re: [PATCH] a")}, "s");
    ASSERT_TRUE(series);
    EXPECT_EQ(series->patches.size(), 1u);
    EXPECT_THAT(series->notes, ElementsAre(HasSubstr("is a reply")));
}

TEST(Assemble, RefusesHostilePathsWithPatchAndReason) {
    const std::string why =
        refused({mail("[PATCH 1/2] a"), mail("[PATCH 2/2] evil", diff_of("../../etc/passwd"))});
    EXPECT_THAT(why, HasSubstr("evil"));
    EXPECT_THAT(why, HasSubstr("../../etc/passwd"));
    refused({mail("[PATCH] evil", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n"
                                  "+++ b/l\n@@ -0,0 +1 @@\n+/etc\n")});
}

TEST(Assemble, TellsWhichSelftestsAreEdited) {
    const auto series =
        assemble_series({mail("[PATCH 1/2] a", diff_of("tools/testing/selftests/proc/self.c") +
                                                   diff_of("tools/testing/selftests/mm/cow.c")),
                         mail("[PATCH 2/2] b", diff_of("tools/testing/selftests/kselftest.h"))},
                        "s");
    ASSERT_TRUE(series);
    EXPECT_THAT(series->selftests_edited(), ElementsAre("kselftest.h", "mm", "proc"));
    EXPECT_TRUE(series->info().changes_selftests);
}

TEST(Assemble, KeepsTheLettersForAnAnswer) {
    auto cover = mail("[PATCH v2 0/2] all of it", "");
    cover.mail.from = {"A", "a@x.org"};
    cover.mail.cc = {{"", "list@x.org"}};
    cover.mail.text = "words\n";
    auto one = mail("[PATCH v2 1/2] one", diff_of("fs/b.c") + diff_of("mm/c.c"));
    one.mail.text = std::string(5000, 'a') + "\n" + std::string(5000, 'b') + "\n";
    one.mail.sha256 = "its hash";
    const auto series = assemble_series({mail("[PATCH v2 2/2] two"), cover, one}, "s");
    ASSERT_TRUE(series) << series.error().message;
    const SeriesInfo info = series->info();
    ASSERT_TRUE(info.cover);
    EXPECT_EQ(info.cover->subject, "[PATCH v2 0/2] all of it");
    EXPECT_EQ(info.cover->from.address, "a@x.org");
    EXPECT_THAT(info.cover->cc, ElementsAre(MailAddress{"", "list@x.org"}));
    EXPECT_EQ(info.cover->text, "words\n");
    ASSERT_EQ(info.letters.size(), 2u);
    EXPECT_EQ(info.letters[0].message_id, "id of [PATCH v2 1/2] one");
    EXPECT_THAT(info.letters[0].files, ElementsAre("fs/b.c", "mm/c.c"));
    EXPECT_EQ(info.letters[0].text, std::string(5000, 'a') + "\n"); // enough to quote
    EXPECT_EQ(info.letters[0].sha256, "its hash");
    EXPECT_EQ(info.letters[1].subject, "[PATCH v2 2/2] two");
    const auto alone = assemble_series({mail("[PATCH] one")}, "s");
    ASSERT_TRUE(alone);
    EXPECT_FALSE(alone->info().cover);
}

} // namespace
} // namespace kmatrix

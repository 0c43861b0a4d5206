// SPDX-License-Identifier: GPL-2.0-only
// Mails written by hand after RFC 5322, 2047 and 2045; base64 and quoted-printable made with
// base64(1) and by hand.
#include "runner/series/mail.h"

#include <gmock/gmock.h>

#include "base/text.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* patch_text = "Words.\n"
                                   "\n"
                                   "Signed-off-by: A <a@b.org>\n"
                                   "---\n"
                                   " f | 2 +-\n"
                                   "\n"
                                   "diff --git a/f b/f\n"
                                   "--- a/f\n"
                                   "+++ b/f\n"
                                   "@@ -1 +1 @@\n"
                                   "-a\n"
                                   "+b\n";

TEST(Mail, SplitsAnMboxWhereGitDoes) {
    const auto mails = split_mbox("From 0123456789 Mon Sep 17 00:00:00 2001\n"
                                  "Subject: one\n\nFrom the start of a line\nFrom x 12:00\n"
                                  "From someone@x Thu Jan  1 10:20:30 2026\n"
                                  "Subject: two\n\nbody\n");
    EXPECT_THAT(mails, ElementsAre("Subject: one\n\nFrom the start of a line\nFrom x 12:00\n",
                                   "Subject: two\n\nbody\n"));
}

TEST(Mail, TakesAnythingElseForOneMailAndDropsCarriageReturns) {
    EXPECT_THAT(split_mbox("Subject: x\r\n\r\na\r\n"), ElementsAre("Subject: x\n\na\n"));
    EXPECT_THAT(split_mbox("Subject: x\n\n+a\r\n"), ElementsAre("Subject: x\n\n+a\r\n"));
    EXPECT_TRUE(split_mbox("").empty());
}

TEST(Mail, UndoesTheQuotingOfPublicInbox) {
    EXPECT_THAT(split_mbox("From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: x\n\n"
                           ">From here\n>>From there\n> From quoted\n"),
                ElementsAre("Subject: x\n\nFrom here\n>From there\n> From quoted\n"));
    EXPECT_THAT(split_mbox("From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n>From here\n"),
                ElementsAre("Subject: x\n\n>From here\n"));
}

TEST(Mail, ReadsHeadersAndTellsTheDiffFromTheMessage) {
    const Mail mail = parse_mail(std::string("From: Ann Other <ann@x.org>\n"
                                             "Message-ID: <2026.1-ann@x.org>\n"
                                             "Subject: [PATCH v2 1/2] fs: a subject\n"
                                             " that goes on\n\n") +
                                 patch_text);
    EXPECT_EQ(mail.subject, "[PATCH v2 1/2] fs: a subject that goes on");
    EXPECT_EQ(mail.author, "Ann Other <ann@x.org>");
    EXPECT_EQ(mail.message_id, "2026.1-ann@x.org");
    EXPECT_EQ(mail.text, "Words.\n\nSigned-off-by: A <a@b.org>\n");
    EXPECT_TRUE(mail.diff.starts_with("---\n f | 2 +-\n"));
    EXPECT_TRUE(mail.diff.ends_with("-a\n+b\n"));
}

TEST(Mail, DecodesEncodedWords) {
    const Mail mail = parse_mail("From: =?UTF-8?q?J=C3=BCrgen?= <j@x.org>\n"
                                 "Subject: =?ISO-8859-1?Q?[PATCH]_f=FCr?= x\n\nwords\n");
    EXPECT_EQ(mail.author, "Jürgen <j@x.org>");
    EXPECT_EQ(mail.subject, "[PATCH] für x");
}

TEST(Mail, DecodesTransferEncodings) {
    const Mail quoted = parse_mail("From: a@b.org\nSubject: x\nMIME-Version: 1.0\n"
                                   "Content-Type: text/plain; charset=UTF-8\n"
                                   "Content-Transfer-Encoding: quoted-printable\n\n"
                                   "W=C3=B6rds that go =\non\n---\ndiff --git a/f b/f\n+=3D=09x\n");
    EXPECT_EQ(quoted.text, "Wörds that go on\n");
    EXPECT_EQ(quoted.diff, "---\ndiff --git a/f b/f\n+=\tx\n");
    // printf 'Hi\n---\ndiff --git a/f b/f\n' | base64
    const Mail base64 = parse_mail("From: a@b.org\nSubject: x\nMIME-Version: 1.0\n"
                                   "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
                                   "SGkKLS0tCmRpZmYgLS1naXQgYS9mIGIvZgo=\n");
    EXPECT_EQ(base64.text, "Hi\n");
    EXPECT_EQ(base64.diff, "---\ndiff --git a/f b/f\n");
}

TEST(Mail, FindsAnAttachedPatchAndPassesHtmlOver) {
    const Mail mail = parse_mail("From: a@b.org\nSubject: x\nMIME-Version: 1.0\n"
                                 "Content-Type: multipart/mixed; boundary=B\n\n"
                                 "--B\nContent-Type: text/plain\n\nSee the patch.\n"
                                 "--B\nContent-Type: text/html\n\n<p>diff -u</p>\n"
                                 "--B\nContent-Type: text/x-patch; name=a.patch\n"
                                 "Content-Disposition: attachment; filename=a.patch\n\n"
                                 "diff --git a/f b/f\n--- a/f\n"
                                 "--B--\n");
    EXPECT_EQ(mail.text, "See the patch.\n");
    EXPECT_EQ(mail.diff, "diff --git a/f b/f\n--- a/f");
}

TEST(Mail, TakesTheAuthorFromTheBodysFirstWords) {
    EXPECT_EQ(parse_mail("From: Sender <s@x.org>\nSubject: x\n\n"
                         "From: Author <a@x.org>\n\nWords\n")
                  .author,
              "Author <a@x.org>");
    EXPECT_EQ(parse_mail("From: Sender <s@x.org>\nSubject: x\n\nFrom: here on\n").author,
              "Sender <s@x.org>");
}

TEST(Mail, SeesNoDiffInACoverLetter) {
    const Mail mail = parse_mail("From: a@b.org\nSubject: [PATCH 0/2] x\n\nWords\n\n---\n"
                                 "Changes in v2: none\n\n f | 2 +-\n");
    EXPECT_EQ(mail.diff, "");
    EXPECT_TRUE(mail.text.ends_with(" f | 2 +-\n"));
}

TEST(Mail, KnowsControlCharactersHoweverTheyAreSent) {
    for (const char* header :
         {"Subject: a\x1b[31mb\n", "Subject: =?utf-8?q?a=1B[31mb?=\n",
          "Subject: =?utf-8?q?a=0Ab?=\n", "Subject: =?utf-8?b?YQpi?=\n",
          "Subject: =?utf-8?q?a=E2=80=AEb?=\n", "Subject: =?utf-8?q?a=C2=9Bb?=\n"})
        EXPECT_THAT(parse_mail(std::string(header) + "From: a@b.org\n\nx\n").unwelcome,
                    HasSubstr("its Subject holds"))
            << header;
    EXPECT_THAT(parse_mail("Subject: x\nFrom: =?utf-8?q?a=0Ab?= <a@b.org>\n\nx\n").unwelcome,
                HasSubstr("its From holds"));
    EXPECT_THAT(
        parse_mail("Subject: x\nFrom: a@b.org\n\nFrom: A\x1b[2J <a@b.org>\n\nx\n").unwelcome,
        HasSubstr("its From holds"));
    EXPECT_EQ(
        parse_mail("Subject: =?utf-8?q?J=C3=BCrgen_=E2=80=94?=\n folded\nFrom: a@b.org\n\nx\n")
            .unwelcome,
        "");
}

TEST(Mail, KnowsFormatFlowedWhereADiffIs) {
    const std::string head = "From: a@b.org\nSubject: x\nMIME-Version: 1.0\n"
                             "Content-Type: text/plain; charset=UTF-8; format=";
    EXPECT_TRUE(parse_mail(head + "flowed\n\n" + patch_text).is_flowed);
    EXPECT_TRUE(parse_mail(head + "Flowed; delsp=yes\n\n" + patch_text).is_flowed);
    EXPECT_FALSE(parse_mail(head + "fixed\n\n" + patch_text).is_flowed);
    EXPECT_FALSE(parse_mail(head + "flowed\n\nonly words\n").is_flowed);
}

TEST(Mail, DropsCarriageReturnsOfADecodedBody) {
    // printf 'Hi\r\n---\r\ndiff --git a/f b/f\r\n' | base64
    const Mail mail = parse_mail("From: a@b.org\nSubject: x\nMIME-Version: 1.0\n"
                                 "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
                                 "SGkNCi0tLQ0KZGlmZiAtLWdpdCBhL2YgYi9mDQo=\n");
    EXPECT_EQ(mail.text, "Hi\n");
    EXPECT_EQ(mail.diff, "---\ndiff --git a/f b/f\n");
}

TEST(Mail, SurvivesWhatIsNoMail) {
    EXPECT_EQ(parse_mail("").subject, "");
    EXPECT_EQ(parse_mail(std::string("\0\xff\n\n\x1b[31m", 8)).diff, "");
    EXPECT_EQ(parse_mail("Subject: a\x1b[31mb\n\n").subject, "ab");
}

TEST(Mail, KnowsABareDiff) {
    EXPECT_TRUE(is_bare_diff("\ndiff --git a/f b/f\n"));
    EXPECT_TRUE(is_bare_diff("--- a/f\n+++ b/f\n"));
    EXPECT_FALSE(is_bare_diff("From: a\n\ndiff --git a/f b/f\n"));
}

TEST(Mail, KeepsWhatAnAnswerNeeds) {
    const std::string text = "From: =?utf-8?q?J=C3=B6rg?= <j@x.org>\n"
                             "Date: Thu, 1 Jan 2026 10:00:00 +0100\n"
                             "To: \"B, Other\" <b@x.org>, c@x.org\n"
                             "Cc: friends: d@x.org, e@x.org;, F <f@x.org>\n"
                             "In-Reply-To: <second@x.org>\n"
                             "References: <first@x.org>\n <second@x.org>\n"
                             "Subject: [PATCH] x\n\nFrom: Another <a@x.org>\n\nWords.\n";
    const Mail mail = parse_mail(text);
    EXPECT_EQ(mail.from, (MailAddress{"J\xC3\xB6rg", "j@x.org"}));
    EXPECT_EQ(mail.author, "Another <a@x.org>");
    EXPECT_EQ(mail.date, "Thu, 1 Jan 2026 10:00:00 +0100");
    EXPECT_THAT(mail.to,
                ElementsAre(MailAddress{"B, Other", "b@x.org"}, MailAddress{"", "c@x.org"}));
    EXPECT_THAT(mail.cc, ElementsAre(MailAddress{"", "d@x.org"}, MailAddress{"", "e@x.org"},
                                     MailAddress{"F", "f@x.org"}));
    EXPECT_THAT(mail.references, ElementsAre("first@x.org", "second@x.org"));
    EXPECT_EQ(mail.sha256, sha256(text));
    EXPECT_THAT(parse_mail("Subject: x\nIn-Reply-To: <only@x.org>\n\nb\n").references,
                ElementsAre("only@x.org"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Threads as they are seen on kernel lists; what belongs together is worked out by hand.
#include "runner/series/thread.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ThreadMail thread_mail(const std::string& id, const std::string& subject,
                       const std::string& above = {}, const std::string& diff = "diff",
                       const std::string& from = "a@x.org") {
    ThreadMail mail;
    mail.from.origin = id;
    mail.from.mail.subject = subject;
    mail.from.mail.message_id = id;
    mail.from.mail.from.address = from;
    if (!above.empty())
        mail.from.mail.references = {above};
    mail.from.mail.diff = diff.empty() ? "" : diff + " of " + id;
    mail.subject = parse_subject(subject);
    return mail;
}

std::vector<std::string> ids(const std::vector<ThreadMail>& mails) {
    std::vector<std::string> all;
    all.reserve(mails.size());
    for (const ThreadMail& one : mails)
        all.push_back(one.from.mail.message_id);
    return all;
}

std::vector<std::string> chosen(const std::string& id, const std::vector<ThreadMail>& thread) {
    const auto mails = series_of(id, thread);
    return mails ? ids(*mails) : std::vector<std::string>{mails.error().message};
}

TEST(Thread, HoldsTheSeriesOfOneVersion) {
    const std::vector<ThreadMail> thread = {thread_mail("c1", "[PATCH 0/2] x", "", ""),
                                            thread_mail("v1.1", "[PATCH 1/2] a", "c1"),
                                            thread_mail("v1.2", "[PATCH 2/2] b", "c1"),
                                            thread_mail("r", "Re: [PATCH 1/2] a", "v1.1", ""),
                                            thread_mail("c2", "[PATCH v2 0/2] x", "c1", ""),
                                            thread_mail("v2.2", "[PATCH v2 2/2] b", "c2"),
                                            thread_mail("v2.1", "[PATCH v2 1/2] a", "c2")};
    EXPECT_THAT(chosen("c1", thread), ElementsAre("c1", "v1.1", "v1.2"));
    EXPECT_THAT(chosen("v2.1", thread), ElementsAre("c2", "v2.2", "v2.1"));
    EXPECT_THAT(chosen("r", thread), ElementsAre("c1", "v1.1", "v1.2"));
    EXPECT_THAT(chosen("nobody", thread), ElementsAre(HasSubstr("no mail of the thread")));
    EXPECT_THAT(chosen("q", {thread_mail("q", "a question", "", "")}),
                ElementsAre(HasSubstr("no patch")));
}

TEST(Thread, HoldsOneOfTwoSeriesAndOneOfTwoPatches) {
    const std::vector<ThreadMail> two = {
        thread_mail("c", "[PATCH 0/1] kernel", "", ""), thread_mail("k", "[PATCH 1/1] kernel", "c"),
        thread_mail("d", "[PATCH 0/1] tool", "c", ""), thread_mail("t", "[PATCH 1/1] tool", "d")};
    EXPECT_THAT(chosen("t", two), ElementsAre("d", "t"));
    EXPECT_THAT(chosen("k", two), ElementsAre("c", "k"));
    const std::vector<ThreadMail> alone = {thread_mail("p", "[PATCH] a"),
                                           thread_mail("q", "[PATCH] instead", "p")};
    EXPECT_THAT(chosen("p", alone), ElementsAre("p"));
    EXPECT_THAT(chosen("q", alone), ElementsAre("q"));
}

TEST(Thread, LosesAnswersThatCarryAPatch) {
    std::vector<std::string> notes;
    const auto kept = without_others({thread_mail("c", "[PATCH 0/1] x", "", ""),
                                      thread_mail("p", "[PATCH 1/1] a", "c"),
                                      thread_mail("r", "Re: [PATCH 1/1] a", "p", "diff", "b@x.org"),
                                      thread_mail("f", "[PATCH] on top", "p", "diff", "b@x.org"),
                                      thread_mail("g", "[PATCH] fixup", "p")},
                                     notes);
    EXPECT_THAT(ids(kept), ElementsAre("c", "p"));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("r (\"a\") is a reply"),
                                   HasSubstr("f (\"on top\") answers p"),
                                   HasSubstr("g (\"fixup\") answers p")));
}

TEST(Thread, KeepsPatchesWithoutNumbersThatOneAuthorChained) {
    std::vector<std::string> notes;
    const auto kept =
        without_others({thread_mail("p", "[PATCH] a"), thread_mail("q", "[PATCH] b", "p"),
                        thread_mail("r", "[PATCH] c", "p", "diff", "b@x.org")},
                       notes);
    EXPECT_THAT(ids(kept), ElementsAre("p", "q"));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("r (\"c\") answers p")));
}

TEST(Thread, LosesWhatCameTwice) {
    std::vector<std::string> notes;
    auto again = thread_mail("p", "[PATCH RESEND 1/2] a");
    again.from.mail.message_id = "other";
    const auto kept =
        without_others({thread_mail("p", "[PATCH 1/2] a"), thread_mail("q", "[PATCH 2/2] b"),
                        thread_mail("q", "[PATCH 2/2] b"), again},
                       notes);
    EXPECT_THAT(ids(kept), ElementsAre("p", "q"));
    EXPECT_THAT(notes,
                ElementsAre(HasSubstr("q (\"b\") is q"), HasSubstr("is p (\"a\") once more")));
    // Another patch under the same number stays, for the numbers to be refused.
    EXPECT_EQ(without_others({thread_mail("p", "[PATCH 1/2] a"), thread_mail("o", "[PATCH 1/2] a")},
                             notes)
                  .size(),
              2u);
}

TEST(Thread, PutsASingleReplacementIntoItsPlace) {
    std::vector<std::string> notes;
    const auto kept =
        without_others({thread_mail("p", "[PATCH v5 1/2] a"), thread_mail("q", "[PATCH v5 2/2] b"),
                        thread_mail("q1", "[PATCH v5.1 2/2] b", "q"),
                        thread_mail("q2", "[PATCH v5.2 2/2] b", "q")},
                       notes);
    EXPECT_THAT(ids(kept), ElementsAre("p", "q2"));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("q (\"b\") was replaced by q1 (\"b\") (v5.1)"),
                                   HasSubstr("v5.2")));
    notes.clear();
    // The stable tree of 6.12, and no replacement.
    EXPECT_EQ(without_others({thread_mail("p", "[PATCH v6.12 1/2] a"),
                              thread_mail("q", "[PATCH v6.12 2/2] b")},
                             notes)
                  .size(),
              2u);
    EXPECT_THAT(notes, IsEmpty());
}

} // namespace
} // namespace kmatrix

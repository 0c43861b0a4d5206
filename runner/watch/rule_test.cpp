// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/rule.h"

#include <gmock/gmock.h>

#include "runner/watch/example_mails.h"

namespace kmatrix::watch {
namespace {

Facts facts() {
    std::vector<SeriesMail> mails;
    for (const example::Post& post : example::series("a", 2))
        mails.push_back({example::mail_of(post), post.id});
    return facts_of("mm-all", mails);
}

TEST(Rule, LooksAtWhatTheMailsSay) {
    const Facts all = facts();
    EXPECT_THAT(all.lists, testing::Contains("linux-mm@example.org"));
    EXPECT_THAT(all.files, testing::IsSupersetOf({"mm/mmap.c", "fs/proc/base.c"}));
    EXPECT_THAT(all.authors, testing::Contains("Ada <ada@example.org>"));
}

TEST(Rule, HoldsWhereEachOfItsKeysDoes) {
    const Facts all = facts();
    EXPECT_TRUE(holds({.name = "all"}, all));
    for (const Rule& rule :
         std::vector<Rule>{{.lists = {"mm-all"}},
                           {.lists = {"nobody", "LINUX-MM@*"}},
                           {.files = {"mm/"}},
                           {.files = {"fs/*.c"}}, // a '*' is slashes too
                           {.files = {"mm/mmap.[ch]"}},
                           {.subject = {"*MM: faster*"}},
                           {.subject = {"[[]PATCH v2*"}},
                           {.author = {"*<*@example.org>"}},
                           {.not_subject = {"*RFC*"}},
                           {.lists = {"mm-all"}, .files = {"mm/"}, .not_author = {"*bot*"}}})
        EXPECT_TRUE(holds(rule, all)) << testing::PrintToString(rule.files);
    for (const Rule& rule : std::vector<Rule>{{.lists = {"mm"}},
                                              {.files = {"MM/"}},
                                              {.files = {"mm"}},
                                              {.files = {"mmap.c"}},
                                              {.subject = {"mm: faster"}},
                                              {.author = {"ada"}},
                                              {.not_subject = {"*fs: two"}},
                                              {.not_author = {"ADA *"}},
                                              {.lists = {"mm-all"}, .files = {"net/"}}})
        EXPECT_FALSE(holds(rule, all)) << testing::PrintToString(rule.files);
}

TEST(Rule, IsTheFirstThatHolds) {
    const std::vector<Rule> rules = {
        {.name = "net", .files = {"net/"}}, {.name = "mm", .files = {"mm/"}}, {.name = "all"}};
    EXPECT_EQ(chosen(rules, facts()), &rules[1]);
    EXPECT_EQ(chosen({}, facts()), nullptr);
}

// Patterns are the operator's; texts are anybody's.
TEST(Rule, TakesNoAgesForAHostileSubject) {
    Facts hostile;
    hostile.subjects = {std::string(4000, 'a')};
    EXPECT_FALSE(holds({.subject = {"*a*a*a*a*a*a*a*a*b"}}, hostile));
}

} // namespace
} // namespace kmatrix::watch

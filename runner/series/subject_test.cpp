// SPDX-License-Identifier: GPL-2.0-only
// Shapes of subjects as they are seen on kernel lists; what they mean is worked out by hand.
#include "runner/series/subject.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

TEST(Subject, ReadsVersionNumberAndTotal) {
    const MailSubject subject = parse_subject("[PATCH v2 3/5] fs/proc: fix it");
    EXPECT_EQ(subject.text, "fs/proc: fix it");
    EXPECT_EQ(subject.version, 2);
    EXPECT_EQ(subject.number, 3);
    EXPECT_EQ(subject.total, 5);
    EXPECT_FALSE(subject.is_reply);
}

TEST(Subject, TellsAPatchFromOtherBrackets) {
    for (const char* line :
         {"[PATCH] x", "[RFC] x", "[patchv2 1/2] x", "[RESEND][PATCH 6.1 1/2] x"})
        EXPECT_TRUE(parse_subject(line).is_patch) << line;
    for (const char* line :
         {"x", "[tip: mm/core] x", "[GIT PULL] x", "patch x", "[linux-next] PATCH"})
        EXPECT_FALSE(parse_subject(line).is_patch) << line;
}

TEST(Subject, ReadsTheOtherShapes) {
    struct Case {
        const char* line;
        int version;
        int number; // -1: none
    };
    for (const Case& shape :
         {Case{"[PATCH] x", 1, -1}, Case{"[PATCH 0/2] x", 1, 0}, Case{"[PATCHv4 01/12] x", 4, 1},
          Case{"[RFC PATCH net-next v3 02/10] x", 3, 2},
          Case{"[PATCH mm-unstable,v10 7/9] x", 10, 7}, Case{"[RFC v2 1/3] x", 2, 1},
          Case{"[RESEND][PATCH v3 1/2] x", 3, 1}, Case{"x", 1, -1},
          Case{"[PATCH vfoo a/b] x", 1, -1}, Case{"[RFC PATCH mm-unstable v3 02/17] x", 3, 2},
          Case{"[PATCHv4] x", 4, -1}, Case{"[PATCH RESEND] x", 1, -1},
          Case{"[PATCH RESEND v2 3/4] x", 2, 3}, Case{"[PATCH 0/0] x", 1, 0},
          Case{"[PATCH [RFC] v2 1/3] x", 2, 1}, Case{"[[PATCH v2 1/3]] x", 2, 1},
          Case{"[PATCH v2] [net 2/3] x", 2, 2}, Case{"[PATCH v6.12.y 1/2] x", 1, 1}}) {
        const MailSubject subject = parse_subject(shape.line);
        EXPECT_EQ(subject.text, "x") << shape.line;
        EXPECT_EQ(subject.version, shape.version) << shape.line;
        EXPECT_EQ(subject.number.value_or(-1), shape.number) << shape.line;
    }
}

TEST(Subject, ReadsTheReplacementOfOnePatch) {
    const MailSubject subject = parse_subject("[PATCH v5.1 10/12] x");
    EXPECT_EQ(subject.version, 5);
    EXPECT_EQ(subject.replaces, 1);
    EXPECT_EQ(subject.number, 10);
    EXPECT_EQ(parse_subject("[PATCH v5 10/12] x").replaces, 0);
}

TEST(Subject, KnowsRepliesOfOtherPrograms) {
    for (const char* line : {"AW: [PATCH] x", "Fwd: [PATCH] x", "re:[PATCH] x"}) {
        EXPECT_TRUE(parse_subject(line).is_reply) << line;
        EXPECT_EQ(parse_subject(line).text, "x") << line;
    }
    EXPECT_FALSE(parse_subject("regulator: x").is_reply);
}

TEST(Subject, KnowsAReply) {
    const MailSubject subject = parse_subject("Re: RE: [PATCH v2 1/2] x");
    EXPECT_TRUE(subject.is_reply);
    EXPECT_EQ(subject.number, 1);
    EXPECT_EQ(subject.text, "x");
}

TEST(Subject, KeepsBracketsThatAreNotAtTheStartOrNotClosed) {
    EXPECT_EQ(parse_subject("[PATCH] a[i] is wrong").text, "a[i] is wrong");
    EXPECT_EQ(parse_subject("[PATCH 1/2 never closed").text, "[PATCH 1/2 never closed");
    EXPECT_FALSE(parse_subject("[PATCH 1/2 never closed").number);
}

} // namespace
} // namespace kmatrix

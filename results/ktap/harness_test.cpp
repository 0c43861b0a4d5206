// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/harness.h"

#include <gmock/gmock.h>

#include "results/ktap/shape.h"

namespace kmatrix::ktap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HarnessLine, IsRead) {
    using Kind = HarnessLine::Kind;
    const auto run = read_harness("RUN           fixture.variant.read ...");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->kind, Kind::run);
    EXPECT_EQ(run->text, "fixture.variant.read");
    EXPECT_EQ(read_harness("OK  f.read")->kind, Kind::ok);
    EXPECT_EQ(read_harness("FAIL  f.read")->kind, Kind::fail);
    EXPECT_EQ(read_harness("SKIP      no device here")->text, "no device here");
    EXPECT_TRUE(read_harness("[ RUN      ] f.read")->bracketed);
    EXPECT_EQ(read_harness("[     FAIL ] f.read")->kind, Kind::fail);
    for (const char* line :
         {"RUN x", "OK", "OK then", "OK  all is well", "[RUN] x", "[OK] x", "FAIL"})
        EXPECT_FALSE(read_harness(line)) << line;
}

// A harness's output as a program prints it when both of its streams go to one place.
constexpr const char* in_order = "TAP version 13\n"
                                 "1..3\n"
                                 "# Starting 3 tests from 1 test cases.\n"
                                 "#  RUN           f.open ...\n"
                                 "# x.c:10:open:a word\n"
                                 "#            OK  f.open\n"
                                 "ok 1 f.open\n"
                                 "#  RUN           f.read ...\n"
                                 "# x.c:20:read:a word\n"
                                 "# x.c:21:read:Expected 1 (1) == 2 (2)\n"
                                 "# x.c:22:read:another\n"
                                 "# read: Test terminated by assertion\n"
                                 "#          FAIL  f.read\n"
                                 "not ok 2 f.read\n"
                                 "#  RUN           f.hang ...\n"
                                 "# hang: Test terminated by timeout\n"
                                 "#          FAIL  f.hang\n"
                                 "not ok 3 f.hang\n"
                                 "# FAILED: 1 / 3 tests passed.\n"
                                 "# Totals: pass:1 fail:2 xfail:0 xpass:0 skip:0 error:0\n";

TEST(Harness, GivesItsLogToTheTest) {
    const Report report = parse(in_order);
    EXPECT_EQ(shape(report.tests), "f.open=pass, f.read=fail(x.c:21:read:Expected 1 (1) == 2 (2)), "
                                   "f.hang=fail>timeout(hang: Test terminated by timeout)");
    EXPECT_THAT(report.notes, IsEmpty());
    EXPECT_THAT(report.tests[1].diagnostics,
                ElementsAre("x.c:20:read:a word", "x.c:21:read:Expected 1 (1) == 2 (2)",
                            "x.c:22:read:another", "read: Test terminated by assertion"));
}

TEST(Harness, LogMayComeBeforeOrAfterTheResults) {
    const std::string text = in_order;
    std::string log, results;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        const std::string line = text.substr(at, end - at);
        (line.starts_with("# x.c") || line.starts_with("#  ") ||
                 line.find("terminated") < line.size()
             ? log
             : results) += line;
        at = end;
    }
    const std::string wanted = shape(text);
    EXPECT_EQ(shape(log + results), wanted);
    EXPECT_EQ(shape(results + log), wanted);
    EXPECT_THAT(parse(results + log).tests[1].diagnostics.front(), "x.c:20:read:a word");
}

TEST(Harness, NamesSkippedTestsWhoseLineHasTheReasonOnly) {
    EXPECT_EQ(shape("1..2\n#  RUN           f.a ...\n#      SKIP      no device\n"
                    "#            OK  f.a\nok 1 # SKIP no device\n"
                    "#  RUN           f.b ...\n#      SKIP      no device\n"
                    "#            OK  f.b\nok 2 f.b # SKIP no device\n"),
              "f.a=skip(no device), f.b=skip(no device)");
}

TEST(Harness, KeepsTestsThatHaveNoResultLine) {
    // older harnesses print nothing else
    EXPECT_EQ(shape("# selftests: net: tls\n# [ RUN      ] f.a\n# [       OK ] f.a\n"
                    "# [ RUN      ] f.b\n# x.c:5:b:Expected 1 == 2\n# [     FAIL ] f.b\n"
                    "not ok 6 selftests: net: tls\n"),
              "net: tls=fail{f.a=pass, f.b=fail(x.c:5:b:Expected 1 == 2)}");
    // and one that never ended has none now
    const Report died = parse("TAP version 13\n1..2\n#  RUN           f.a ...\n# x.c:1:a:word\n");
    EXPECT_EQ(shape(died.tests), "f.a=missing");
    EXPECT_THAT(died.tests[0].diagnostics, ElementsAre("x.c:1:a:word"));
}

TEST(Harness, TwoRunsOfOneNameStayTwo) {
    const Report report = parse("#  RUN           f.a ...\n# one\n#            OK  f.a\nok 1 f.a\n"
                                "#  RUN           f.a ...\n# two\n#          FAIL  f.a\n"
                                "not ok 2 f.a\n");
    EXPECT_EQ(shape(report.tests), "f.a=pass, f.a=fail");
    EXPECT_THAT(report.tests[0].diagnostics, ElementsAre("one"));
    EXPECT_THAT(report.tests[1].diagnostics, ElementsAre("two"));
}

TEST(Harness, LeavesOthersWordsAlone) {
    const Report report = parse("1..1\n# OK  f.a\n# SKIP      this\nok 1 a\n");
    EXPECT_EQ(shape(report.tests), "a=pass");
    EXPECT_THAT(report.tests[0].diagnostics, ElementsAre("OK  f.a", "SKIP      this"));
}

} // namespace
} // namespace kmatrix::ktap

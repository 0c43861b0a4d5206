// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/ktap.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "results/ktap/shape.h"

namespace kmatrix::ktap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ktap, ReadsPlansFirstLastAndMissing) {
    EXPECT_EQ(shape("KTAP version 1\n1..2\nok 1 a\nnot ok 2 b\n"), "a=pass, b=fail");
    EXPECT_EQ(shape("TAP version 13\nok 1 a\nnot ok 2 b\n1..2\n"), "a=pass, b=fail");
    EXPECT_EQ(shape("ok 1 a\nnot ok 2 b"), "a=pass, b=fail");
    EXPECT_THAT(parse("TAP version 14\n1..2\nok 1 a\nok 2 b\n1..2\n").notes, IsEmpty());
}

TEST(Ktap, NestsByAnyIndentation) {
    const std::string wanted = "s=pass{a=pass, b=pass}, t=pass{c=pass}";
    for (const std::string in : {"  ", "    ", "\t", "# ", " "})
        EXPECT_EQ(shape("KTAP version 1\n1..2\n" + in + "1..2\n" + in + "ok 1 a\n" + in +
                        "ok 2 b\nok 1 s\n" + in + "1..1\n" + in + "ok 1 c\nok 2 t\n"),
                  wanted)
            << '"' << in << '"';
}

TEST(Ktap, NestsLevelInLevel) {
    EXPECT_EQ(shape("# # # 1..1\n# # # ok 1 a\n# # 1..1\n# # ok 1 b\n# ok 1 c\nok 1 d\n"),
              "d=pass{c=pass{b=pass{a=pass}}}");
    EXPECT_EQ(shape("# \tok 1 a\n#   ok 1 b\n# ok 1 c\nok 1 d\n"),
              "d=pass{c=pass{b=pass{a=pass}}}");
    std::string text;
    for (int i = 60; i >= 0; --i)
        text += std::string(static_cast<std::size_t>(4 * i), ' ') + "ok 1 level\n";
    const Report report = parse(text);
    int depth = 0;
    for (const std::vector<ktap::Test>* tests = &report.tests; !tests->empty();
         tests = &tests->front().children) {
        ASSERT_EQ(tests->size(), 1u);
        ++depth;
    }
    EXPECT_EQ(depth, 61);
}

TEST(Ktap, KeepsResultsThatNestTooDeep) {
    std::string text;
    for (int i = 250; i >= 0; --i)
        text += std::string(static_cast<std::size_t>(i), ' ') + "ok 1 level\n";
    const Report report = parse(text);
    EXPECT_EQ(count(report.tests).pass, 251u);
    EXPECT_EQ(report.tests.size(), 3u); // towers of 100, 100 and 51
}

TEST(Ktap, KeepsResultsWhoseParentNeverReported) {
    EXPECT_EQ(shape("1..2\n  1..2\n  ok 1 a\n  not ok 2 b\n"), "a=pass, b=fail");
    // the level between has a plan and no result; what is indented too far is what it planned
    const Report skewed = parse("1..1\n    1..1\n        ok 1 a\nok 1 s\n");
    EXPECT_EQ(shape(skewed.tests), "s=pass{a=pass}");
    EXPECT_THAT(skewed.notes, IsEmpty());
}

TEST(Ktap, TwoResultsWithOneNameStayTwo) {
    EXPECT_EQ(shape("ok 1 a\nnot ok 1 a\nok 5 a\n"), "a=pass, a=fail, a=pass");
}

TEST(Ktap, NamesWhatHasNoName) {
    EXPECT_EQ(shape("1..3\nok 7\nok 8 # SKIP\nnot ok\n"), "test 7=pass, test 8=skip, test 3=fail");
}

TEST(Ktap, TakesOkWithoutNumberOnlyWhereResultsStand) {
    EXPECT_EQ(shape("1..3\nok\nnot ok - b\nok c\n"), "test 1=pass, b=fail, c=pass");
    EXPECT_EQ(shape("ok\nnot ok - b\n1..2\n"), "test 1=pass, b=fail");
    EXPECT_EQ(shape("# ok\n# ok then\nok 1 selftests: net: a.sh\n"), "net: a.sh=pass");
    EXPECT_TRUE(parse("ok\nnot ok\nok then\n").empty());
    // numbered results that meet the plan leave no room for words
    const Report report = parse("1..2\nok\nok 1 a\nok\nok 2 b\n");
    EXPECT_EQ(shape(report.tests), "a=pass, b=pass");
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(Ktap, FewerResultsThanPlannedIsMissing) {
    const Report report = parse("1..2\n  1..3\n  ok 1 a\n  ok 2 b\nok 1 s\n");
    EXPECT_EQ(shape(report.tests), "s=pass>missing{a=pass, b=pass}");
    EXPECT_EQ(report.effective, "missing");
    EXPECT_THAT(report.notes,
                ElementsAre("s: 2 of 3 planned results seen", "1 of 2 planned results seen"));
    EXPECT_THAT(parse("1..1\nok 1 a\nok 2 b\n").notes,
                ElementsAre("2 results seen where 1 were planned"));
}

TEST(Ktap, CountsEachProgramAtOneLevelForItself) {
    EXPECT_THAT(parse("TAP version 13\n1..1\nok 1 a\nTAP version 13\n1..2\nok 1 b\nok 2 c\n").notes,
                IsEmpty());
    EXPECT_THAT(parse("1..1\nok\nTAP version 13\n1..2\nok 1 b\n").notes,
                ElementsAre("1 of 2 planned results seen"));
}

TEST(Ktap, AFailedChildFailsAnOkParent) {
    EXPECT_EQ(shape("  not ok 1 a\nok 1 s\n"), "s=pass>fail{a=fail}");
    EXPECT_EQ(shape("    not ok 1 a # TIMEOUT 5 seconds\n  ok 1 s\nok 1 t\n"),
              "t=pass>fail{s=pass>fail{a=timeout(5 seconds)}}");
    EXPECT_EQ(shape("  not ok 1 a\nok 1 s # SKIP half of it\n"), "s=skip>fail(half of it){a=fail}");
    EXPECT_EQ(shape("  not ok 1 a # TODO\nok 1 s\n"), "s=pass{a=xfail}");
    EXPECT_EQ(shape("  not ok 1 a\nnot ok 1 s # TODO\n"), "s=xfail{a=fail}");
    EXPECT_EQ(shape("  ok 1 a # SKIP\nok 1 s\n"), "s=pass{a=skip}");
}

TEST(Ktap, ReconcilesTotals) {
    const std::string totals = "# Totals: pass:2 fail:1 xfail:0 xpass:0 skip:0 error:0\n";
    EXPECT_THAT(parse("ok 1 a\nok 2 b\nnot ok 3 c\n" + totals).notes, IsEmpty());
    const Report lost = parse("ok 1 a\nok 2 b\n" + totals);
    EXPECT_EQ(lost.effective, "fail");
    EXPECT_THAT(lost.notes,
                ElementsAre("totals count 3 results, 2 seen", "totals count 1 failures, 0 seen"));
    EXPECT_EQ(shape("# # Totals: pass:9 fail:0 xfail:0\n# ok 1 a\n# # Totals: pass:2 fail:0 "
                    "xfail:0\nok 1 selftests: x: y\n"),
              "x: y=pass>missing{a=pass}");
    // KUnit's count the results that have none below them
    EXPECT_THAT(parse("  1..2\n    ok 1 p\n    ok 2 q\n  ok 1 a\n  ok 2 b\n"
                      "# Totals: pass:3 fail:0 skip:0 total:3\nok 1 s\n")
                    .notes,
                IsEmpty());
}

TEST(Ktap, BelievesATestThatSaysItDidNotFinish) {
    const Report report = parse("# 1..2\n# ok 1 a\n# # Planned tests != run tests (4 != 2)\n"
                                "# ok 2 b\nok 1 selftests: x: y\n");
    EXPECT_EQ(shape(report.tests), "x: y=pass>missing{a=pass, b=pass}");
    EXPECT_THAT(report.notes, ElementsAre("x: y: says itself that 2 of 4 planned tests ran"));
}

TEST(Ktap, BailsOut) {
    const Report report = parse("1..3\nok 1 a\nBail out! no memory\n");
    EXPECT_EQ(report.bail_out, "no memory");
    EXPECT_EQ(report.effective, "fail");
    // of a child alone; and glued to what the program prints after it
    const Report child = parse("# TAP version 13\n# 1..2\n# ok 1 a\n# Bail out! no memory# Totals: "
                               "pass:1 fail:0 xfail:0\nok 1 selftests: x: y\n");
    EXPECT_EQ(child.bail_out, std::nullopt);
    EXPECT_EQ(shape(child.tests), "x: y=pass>fail{a=pass}");
    EXPECT_THAT(child.tests[0].diagnostics, ElementsAre("Bail out! no memory"));
}

TEST(Ktap, SkipsAWholePlan) {
    const Report report = parse("TAP version 13\n1..0 # SKIP no device\n");
    EXPECT_EQ(report.skip, "no device");
    EXPECT_EQ(report.effective, "skip");
    EXPECT_FALSE(report.empty());
    EXPECT_EQ(shape("# TAP version 13\n# 1..0 # SKIP no device\nok 1 selftests: x: y # SKIP\n"),
              "x: y=skip(no device)");
    EXPECT_TRUE(parse("TAP version 13\n1..0\n").empty());
}

TEST(Ktap, FindsTheRunnersResultAtTheEndOfAnUnterminatedLine) {
    EXPECT_EQ(shape("TAP version 13\n1..2\n# selftests: x: y\n# half a lineok 1 selftests: x: y\n"
                    "# selftests: x: z\n# 1..2\n# ok 1 a\n# half a linenot ok 2 selftests: x: z # "
                    "exit=1\n"),
              "x: y=pass, x: z=fail(exit=1){a=pass}");
    EXPECT_EQ(shape("# 1..0 # SKIP no deviceok 5 selftests: x: y # SKIP\n"),
              "x: y=skip(no device)");
    EXPECT_EQ(shape("# ok 1 aok 5 selftests: x: y\n"), "x: y=pass{a=pass}");
    EXPECT_EQ(shape("# selftests: x: y\n# 1..1\n# ok 1 a\n# ok 5 selftests: x: y\n"),
              "x: y=pass{a=pass}");
    EXPECT_EQ(shape("crng init doneok 5 selftests: x: y\n"), "x: y=pass");
}

TEST(Ktap, FindsOtherGluedResultsByTheirNumbers) {
    // nothing but the numbers tells "textok 2 b" from "took 2 seconds"
    EXPECT_EQ(shape("1..3\nok 1 a\n# textok 2 b\nok 3 c\n"), "a=pass, b=pass, c=pass");
    EXPECT_EQ(shape("1..3\nok 1 a\n# it took 2 seconds\nok 2 b\nok 3 c\n"),
              "a=pass, b=pass, c=pass");
    EXPECT_EQ(shape("1..3\nok 1 anot ok 2 b # SKIP why\nok 3 c\n"), "a=pass, b=skip(why), c=pass");
    EXPECT_EQ(shape("1..2\nok 1 a\n# textok 2 b\n"), "a=pass, b=pass");
    EXPECT_EQ(shape("# 1..2\n# # ok 1 p\n# ok 1 a\n# # ok 1 q\n# # textok 2 b\n"
                    "ok 1 selftests: x: y\n"),
              "x: y=pass{a=pass{p=pass}, b=pass{q=pass}}");
}

TEST(Ktap, KeepsWhatWasAnnouncedAndNeverReported) {
    const Report report = parse("TAP version 13\n1..3\n# selftests: x: y\n# ok 1 a\n"
                                "# selftests: x: z\n# 1..2\n# ok 1 b\n");
    EXPECT_EQ(shape(report.tests), "x: y=missing{a=pass}, x: z=missing{b=pass}");
    EXPECT_EQ(report.effective, "missing");
    // unless it reports late
    EXPECT_EQ(shape("# selftests: x: y\n# ok 1 a\n# selftests: x: z\nok 2 selftests: x: z\n"
                    "ok 1 selftests: x: y\n"),
              "x: y=pass{a=pass}, x: z=pass");
}

TEST(Ktap, ReadsSubtestLinesInBothForms) {
    // KUnit's stand in the level that they name
    EXPECT_EQ(shape("KTAP version 1\n1..2\n    KTAP version 1\n    # Subtest: s\n    1..1\n"
                    "    ok 1 a\nok 1 s\n    KTAP version 1\n    # Subtest: t\n    1..2\n"
                    "    ok 1 b\n[    1.000000] Kernel panic - not syncing: boom\n"),
              "s=pass{a=pass}, t=missing{b=pass}");
    EXPECT_EQ(shape("1..2\n    # Subtest: s\n    1..2\n    ok 1 a\n    # Subtest: t\n    1..1\n"
                    "    ok 1 b\nok 2 t\n"),
              "s=missing{a=pass}, t=pass{b=pass}");
    EXPECT_EQ(shape("1..1\n    # Subtest: s\n    1..2\n        # Subtest: p\n        ok 1 a\n"),
              "s=missing{p=missing{a=pass}}");
    // TAP 14's before it
    EXPECT_EQ(shape("TAP version 14\n1..2\n# Subtest: s\n    1..1\n    ok 1 a\nok 1 s\n"
                    "# Subtest: t\n    1..1\n    ok 1 b\n"),
              "s=pass{a=pass}, t=missing{b=pass}");
}

TEST(Ktap, ReadsThroughANoisyConsole) {
    using namespace std::string_literals;
    EXPECT_EQ(shape("[    0.100000] KTAP version 1\r\n[    0.100000] 1..3\r\n"
                    "[    0.110000][    T1]     ok 1 \x1b[32ma\x1b[0m\r\n"
                    "[    0.120000] ok 1 s[    0.125000] usb 1-1: new device\r\n"
                    "<6>[    0.130000] o\0k 2 b\xff\r\n"
                    "[    0.200] \0ok 3 \0c\n"s),
              "s=pass{a=pass}, b\uFFFD=pass, c=pass");
    EXPECT_EQ(shape("# 10 %\r# 90 %\rok 1 a\r\nok 1 selftests: x: y\n"), "x: y=pass{a=pass}");
    EXPECT_EQ(shape("[    1.000000] crng done[    1.000000] ok 1 a\n"), "a=pass");
}

TEST(Ktap, IgnoresMetadata) {
    const Report report = parse("KTAP version 2\n#:ktap_speed: slow\n1..1\n#:x_y: z\nok 1 a\n");
    EXPECT_EQ(shape(report.tests), "a=pass");
    EXPECT_THAT(report.tests[0].diagnostics, IsEmpty());
}

TEST(Ktap, GivesTextToTheTestAfterIt) {
    const Report report = parse("# selftests: x: y\n# start\n# 1..2\n# # first\n# ok 1 a\n"
                                "# plain\n# # second\n# not ok 2 b\n# end\nok 1 selftests: x: y\n");
    ASSERT_EQ(report.tests.size(), 1u);
    ASSERT_EQ(report.tests[0].children.size(), 2u);
    EXPECT_THAT(report.tests[0].children[0].diagnostics, ElementsAre("first"));
    EXPECT_THAT(report.tests[0].children[1].diagnostics, ElementsAre("plain", "second"));
    EXPECT_THAT(report.tests[0].diagnostics, ElementsAre("start", "end"));
}

TEST(Ktap, TellsWhichExpectationOfKunitFailed) {
    EXPECT_EQ(shape("    # a: EXPECTATION FAILED at lib/x.c:30\n    Expected 1 == 2\n"
                    "    # a: pass:0 fail:1 skip:0 total:1\n    not ok 1 a\nnot ok 1 s\n"),
              "s=fail{a=fail(a: EXPECTATION FAILED at lib/x.c:30)}");
}

TEST(Ktap, CapsTextInTheMiddle) {
    std::string text = "1..1\n";
    for (int i = 1; i <= 1000; ++i)
        text += "# line " + std::to_string(i) + "\n";
    text += "# " + std::string(5000, 'x') + "\nok 1 " + std::string(5000, 'n') + "\n";
    const Report report = parse(text);
    ASSERT_EQ(report.tests.size(), 1u);
    const std::vector<std::string>& lines = report.tests[0].diagnostics;
    ASSERT_EQ(lines.size(), 401u); // the first 100, a word, the last 300
    EXPECT_EQ(lines[99], "line 100");
    EXPECT_EQ(lines[100], "[601 lines left out]");
    EXPECT_EQ(lines[101], "line 702");
    EXPECT_EQ(lines[400].size(), 2000u);
    EXPECT_TRUE(lines[400].ends_with("x…"));
    EXPECT_EQ(report.tests[0].name.size(), 1000u);
}

TEST(Ktap, ReadsTheSameInPieces) {
    const std::string text = "[    0.1000] TAP version 13\r\n1..2\n# selftests: x: y\n# 1..2\n"
                             "# #  RUN           f.a ...\n# #            OK  f.a\n# ok 1 f.a\n"
                             "# half\x1b[1mok 1 selftests: x: y\nnot ok 2 selftests: x: z # exit=1";
    const std::string whole = shape(text);
    EXPECT_EQ(whole, "x: y=pass>missing{f.a=pass}, x: z=fail(exit=1)");
    for (std::size_t step = 1; step < text.size(); ++step) {
        Parser parser;
        for (std::size_t at = 0; at < text.size(); at += step)
            parser.feed(std::string_view(text).substr(at, step));
        EXPECT_EQ(shape(parser.finish().tests), whole) << step;
    }
}

TEST(Ktap, CanBeUsedAgain) {
    Parser parser;
    parser.feed("1..2\nok 1 a\n  ok");
    parser.finish();
    parser.feed("ok 1 b\n");
    const Report report = parser.finish();
    EXPECT_EQ(shape(report.tests), "b=pass");
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(Ktap, SurvivesHostileText) {
    // Each once cost quadratic time or a deep stack in a parser of this kind; 200 kB are enough to
    // show it against the tests' time limit.
    const auto repeated = [](std::string_view text) {
        std::string all;
        while (all.size() < 200'000)
            all += text;
        return all;
    };
    for (const char* piece :
         {"\x1b]", "\x1b[", "# ", "\t", "[ ", "selftests: ", "ok 1 selftests: a: b ", "x\r", "\xff",
          "ok 1 a ok 2 ", "ok 1 a[    1.000000] ", "# selftests: a: b\n", "    # Subtest: a\n",
          "#  RUN           a ...\n", "ok\n", "1..9\nok 1 a\n", "Bail out! x\n", "9"})
        parse(repeated(piece) + "\nok 1 a\n");
    EXPECT_EQ(count(parse(repeated("ok 1 selftests: a: b ")).tests).pass,
              9524u); // of 21 bytes each
    EXPECT_EQ(shape(std::string(200'000, ' ') + "x" + "\nok 1 a\n"), "a=pass");
    EXPECT_EQ(shape(std::string(200'000, 'x') + "ok 1 selftests: a: b\n"), "a: b=pass");
}

TEST(Ktap, OfNothingIsNothing) {
    EXPECT_TRUE(parse("").empty());
    EXPECT_EQ(parse("").effective, "missing");
    EXPECT_TRUE(parse("make: *** Error 2\nbook 3 chapters\n").empty());
}

} // namespace
} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/result_line.h"

#include <gmock/gmock.h>

namespace kmatrix::ktap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Result {
    std::string_view line, name, status, reason;
};

void expect_results(std::initializer_list<Result> results) {
    for (const Result& wanted : results) {
        const auto read = read_result(wanted.line);
        ASSERT_TRUE(read) << wanted.line;
        EXPECT_EQ(read->name, wanted.name) << wanted.line;
        EXPECT_EQ(read->status, wanted.status) << wanted.line;
        EXPECT_EQ(read->reason, wanted.reason) << wanted.line;
    }
}

TEST(ResultLine, HasNumberAndName) {
    expect_results({
        {"ok 1 open", "open", "pass", ""},
        {"ok 1 - open", "open", "pass", ""},
        {"not ok 2 close", "close", "fail", ""},
        {"not  ok\t2\tclose it", "close it", "fail", ""},
        {"ok 3: seek", "seek", "pass", ""},
        {"ok", "", "pass", ""},
        {"not ok", "", "fail", ""},
        {"ok 7", "", "pass", ""},
        {"ok - name only", "name only", "pass", ""},
        {"ok name only", "name only", "pass", ""},
        {"ok 1.5 sec", "1.5 sec", "pass", ""},
        {"ok 99999999999999999999999999 large", "large", "pass", ""},
        {"ok 4 -x option", "-x option", "pass", ""},
    });
    EXPECT_EQ(read_result("ok 12 x")->number, 12u);
    EXPECT_EQ(read_result("ok x")->number, std::nullopt);
}

TEST(ResultLine, IsNotAnyWordThatBeginsSo) {
    for (const char* line :
         {"okay 1 x", "OK 1 x", "not okay", "nok 1 x", "notok 1", "", "not", "ok1 x", "no ok 1"})
        EXPECT_FALSE(read_result(line)) << line;
}

TEST(ResultLine, HasADirectiveAfterTheName) {
    expect_results({
        {"ok 1 a # SKIP no device", "a", "skip", "no device"},
        {"not ok 1 a # SKIP", "a", "skip", ""},
        {"ok 1 a # skip: no device", "a", "skip", "no device"},
        {"ok 1 a # Skipped - no device", "a", "skip", "no device"},
        {"ok 1 a # [SKIP] no device", "a", "skip", "no device"},
        {"ok 1 a #SKIP", "a", "skip", ""},
        {"ok 1 a# SKIP", "a", "skip", ""},
        {"not ok 1 a # TODO later", "a", "xfail", "later"},
        {"ok 1 a # todo later", "a", "xpass", "later"},
        {"ok 1 a # XFAIL known", "a", "xfail", "known"},
        {"not ok 1 a # xfail known", "a", "xfail", "known"},
        {"ok 1 a # XPASS", "a", "xpass", ""},
        {"not ok 1 a # TIMEOUT 45 seconds", "a", "timeout", "45 seconds"},
        {"not ok 1 a # timeout", "a", "timeout", ""},
        {"not ok 1 a # ERROR no memory", "a", "error", "no memory"},
        {"not ok 1 a # exit=139", "a", "fail", "exit=139"},
    });
}

TEST(ResultLine, HasADirectiveBeforeTheName) {
    expect_results({
        {"ok 3 # SKIP no pkeys", "no pkeys", "skip", ""},
        {"ok 3 # XFAIL a", "a", "xfail", ""},
        {"ok 3 # XPASS a", "a", "xpass", ""},
        {"not ok 3 # error a", "a", "error", ""},
        {"ok 3 # SKIP a # no device", "a", "skip", "no device"},
        {"ok 3 # SKIP", "", "skip", ""},
        {"not ok 3 # TIMEOUT 45 seconds", "", "timeout", "45 seconds"},
        {"not ok 3 # exit=1", "", "fail", "exit=1"},
        {"ok 3 # SKIP selftests: proc: read", "proc: read", "skip", ""},
    });
    EXPECT_TRUE(read_result("ok 3 # SKIP no pkeys")->name_after_directive);
    EXPECT_FALSE(read_result("ok 3 a # SKIP no pkeys")->name_after_directive);
}

TEST(ResultLine, HasADiagnosticWithoutDirective) {
    expect_results({
        {"ok 5 return code # rcode=0", "return code", "pass", "rcode=0"},
        {"not ok 5 a #  it broke", "a", "fail", "it broke"},
        {"ok 5 poll # timeout 5 ms", "poll", "pass", "timeout 5 ms"},
        {"ok 5 read # error expected", "read", "pass", "error expected"},
        {"ok 5 a # time=3ms # SKIP no device", "a", "skip", "no device"},
        {"ok 5 a #", "a", "pass", ""},
    });
}

TEST(ResultLine, KeepsAHashInTheName) {
    expect_results({
        {"ok 1 foo#bar", "foo#bar", "pass", ""},
        {"ok 1 try #5 of 9", "try #5 of 9", "pass", ""},
        {"ok 1 C# binding # SKIP none", "C# binding", "skip", "none"},
        {"ok 1 a \\# SKIP b", "a \\# SKIP b", "pass", ""},
        {"ok 1 issue #skipper", "issue #skipper", "pass", ""},
    });
}

TEST(ResultLine, OfTheRunnerEndsWhereTheRunnerEndsIt) {
    expect_results({
        {"ok 3 selftests: proc: read", "proc: read", "pass", ""},
        {"ok 1 1 selftests: net/lib: a.sh", "net/lib: a.sh", "pass", ""},
        {"not ok 3 selftests: proc: read # exit=1      make[1]: Leaving directory 'x'",
         "proc: read", "fail", "exit=1"},
        {"not ok 3 selftests: proc: read # TIMEOUT 45 seconds and so on", "proc: read", "timeout",
         "45 seconds"},
        {"ok 3 selftests: proc: read # SKIP", "proc: read", "skip", ""},
        {"ok 3 selftests: proc: read # XFAIL", "proc: read", "xfail", ""},
        {"not ok 3 selftests: proc: read # no netns", "proc: read", "fail", "no netns"},
        {"ok 1..7 selftests: proc: read [PASS]", "proc: read", "pass", ""},
        {"not ok 1..7 selftests: run_vmtests [SKIP]", "run_vmtests", "skip", ""},
        {"not ok 1..7 selftests: proc: read [FAIL]", "proc: read", "fail", ""},
        {"ok 3 selftests: proc: read tail", "proc: read", "pass", ""},
    });
    EXPECT_EQ(read_result("ok 3 selftests: proc: read tail")->rest, "tail");
    EXPECT_EQ(read_result("not ok 3 selftests: proc: read # exit=1      make: x")->rest, "make: x");
    EXPECT_TRUE(read_result("ok 3 selftests: proc: read")->runner);
}

TEST(ResultLine, EndsWhereAnotherConsoleLineWasGluedToIt) {
    const auto line = read_result("ok 1 a[    1.234567] usb 1-1: new device");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->name, "a");
    EXPECT_EQ(line->rest, "[    1.234567] usb 1-1: new device");
}

TEST(RunnerResults, AreFoundAnywhere) {
    EXPECT_THAT(runner_results("ok 3 selftests: proc: read"), ElementsAre(0u));
    EXPECT_THAT(runner_results("textok 3 selftests: proc: read"), ElementsAre(4u));
    EXPECT_THAT(runner_results("textnot ok 3 selftests: proc: read"), ElementsAre(4u));
    EXPECT_THAT(runner_results("xok 1 1 selftests: a: b"), ElementsAre(1u));
    EXPECT_THAT(runner_results("ok 1..3 selftests: a: b"), ElementsAre(0u));
    EXPECT_THAT(runner_results("ok 1 selftests: a: b ok 2 selftests: c: d"), ElementsAre(0u, 21u));
    EXPECT_THAT(runner_results("selftests: a: b"), IsEmpty());
    EXPECT_THAT(runner_results("ok selftests: a: b"), IsEmpty());
    EXPECT_THAT(runner_results("ok 3 # SKIP selftests: a: b"), IsEmpty());
}

TEST(GluedResult, HasTheNumberThatIsNext) {
    EXPECT_EQ(glued_result("textok 3 name", 3), 4u);
    EXPECT_EQ(glued_result("textnot ok 3", 3), 4u);
    EXPECT_EQ(glued_result("ok 2 textok 3 name", 3), 9u);
    EXPECT_EQ(glued_result("took 35 s", 3), std::nullopt);
    EXPECT_EQ(glued_result("ok 3 name", 3), std::nullopt); // in the midst only
}

} // namespace
} // namespace kmatrix::ktap

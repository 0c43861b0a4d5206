// SPDX-License-Identifier: GPL-2.0-only
#include "results/test_run.h"

#include <gmock/gmock.h>

#include "results/ktap/shape.h"

namespace kmatrix {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const TestId job{{"proc", "read"}, 1, Kernel::patched};

JobOutcome ended(int exit, std::string output = {}) {
    JobOutcome outcome;
    outcome.id = test_id(job);
    outcome.started = true;
    outcome.end = transcript::Ended{outcome.id, exit, 0, false, 1.5};
    outcome.output = std::move(output);
    return outcome;
}

std::string skip_reason(const std::string& output) {
    const JobOutcome outcome = ended(4, output);
    const TestRun run = test_run(job, &outcome);
    EXPECT_EQ(run.status, Status::skip);
    return run.reason;
}

TEST(TestRun, HasTheStatusOfItsExit) {
    const std::pair<int, Status> exits[] = {{0, Status::pass},  {1, Status::fail},
                                            {2, Status::xfail}, {3, Status::xpass},
                                            {4, Status::skip},  {127, Status::fail}};
    for (const auto& [exit, status] : exits) {
        const JobOutcome outcome = ended(exit);
        EXPECT_EQ(test_run(job, &outcome).status, status) << exit;
    }
    const JobOutcome failed = ended(7);
    const TestRun run = test_run({{"proc", "read"}, 3, Kernel::baseline}, &failed);
    EXPECT_EQ(run.reason, "exit 7");
    EXPECT_EQ(run.seconds, 1.5);
    EXPECT_EQ(run.target, "proc");
    EXPECT_EQ(run.test, "read");
    EXPECT_EQ(run.attempt, 3);
    EXPECT_EQ(run.origin, Kernel::baseline);
    const JobOutcome passed = ended(0);
    EXPECT_EQ(test_run(job, &passed).reason, "");
}

TEST(TestRun, NamesTheSignal) {
    JobOutcome outcome = ended(0);
    outcome.end->signal = 11;
    const TestRun run = test_run(job, &outcome);
    EXPECT_EQ(run.status, Status::fail);
    EXPECT_EQ(run.reason, "killed by SIGSEGV");
    EXPECT_EQ(signal_name(6), "SIGABRT");
    EXPECT_EQ(signal_name(40), "signal 40");
}

TEST(TestRun, TimesOut) {
    JobOutcome outcome = ended(0);
    outcome.end->signal = 9;
    outcome.end->timed_out = true;
    outcome.end->seconds = 135.02;
    const TestRun run = test_run(job, &outcome);
    EXPECT_EQ(run.status, Status::timeout);
    EXPECT_EQ(run.reason, "no end after 135 s");
}

TEST(TestRun, IsMissingWithoutAnEnd) {
    EXPECT_EQ(test_run(job, nullptr).status, Status::missing);
    EXPECT_EQ(test_run(job, nullptr).reason, "not started");
    JobOutcome outcome;
    outcome.started = true;
    outcome.output = "ok 1 a\n";
    const TestRun run = test_run(job, &outcome);
    EXPECT_EQ(run.status, Status::missing);
    EXPECT_EQ(run.reason, "started, and no end was reported");
    EXPECT_EQ(ktap::shape(run.subtests), "a=pass");
}

TEST(TestRun, HasItsSubtests) {
    const JobOutcome outcome = ended(1, "TAP version 13\n1..2\nok 1 a\nnot ok 2 b\n");
    const TestRun run = test_run(job, &outcome);
    EXPECT_EQ(ktap::shape(run.subtests), "a=pass, b=fail");
    EXPECT_EQ(run.reason, "exit 1");
    const JobOutcome silent = ended(0, "done\n");
    EXPECT_THAT(test_run(job, &silent).subtests, IsEmpty());
}

TEST(TestRun, SaysWhereItsResultsAndItsExitDisagree) {
    const JobOutcome failed = ended(0, "1..2\nok 1 a\nnot ok 2 b\n");
    EXPECT_EQ(test_run(job, &failed).status, Status::pass);
    EXPECT_THAT(test_run(job, &failed).reason, HasSubstr("its own results say that it failed"));
    const JobOutcome fewer = ended(0, "1..2\nok 1 a\n");
    EXPECT_THAT(test_run(job, &fewer).reason, HasSubstr("missing"));
    const JobOutcome bailed = ended(1, "1..2\nBail out! no memory\n");
    EXPECT_EQ(test_run(job, &bailed).reason, "exit 1: Bail out! no memory");
}

TEST(TestRun, TellsWhyItWasSkipped) {
    EXPECT_EQ(skip_reason("TAP version 13\n1..0 # SKIP no device\n"), "no device");
    EXPECT_EQ(skip_reason("1..1\nok 1 a # SKIP no pkeys\n"), "no pkeys");
    EXPECT_EQ(skip_reason("1..1\nok 1 # SKIP no pkeys\n"), "no pkeys");
    EXPECT_EQ(skip_reason("start\nSKIP: no such module\nbye\n"), "no such module");
    EXPECT_EQ(skip_reason("# [SKIP] no such module\n"), "no such module");
    EXPECT_EQ(skip_reason("skipping, no such module\n"), "no such module");
    EXPECT_EQ(skip_reason("Not root, test skipped.\n"), "Not root, test skipped.");
    EXPECT_EQ(skip_reason("SKIP\n"), "SKIP");
    EXPECT_EQ(skip_reason("setup\nneeds root\n\n"), "needs root");
    EXPECT_EQ(skip_reason(""), "exit 4, and not a word why");
}

TEST(TestRun, KeepsTheEndOfItsOutput) {
    std::string output;
    for (int i = 1; i <= 100; ++i)
        output += "line " + std::to_string(i) + "\x1b[0m\n";
    const JobOutcome outcome = ended(0, output);
    const std::string tail = test_run(job, &outcome).output_tail;
    EXPECT_TRUE(tail.starts_with("line 61\n")) << tail;
    EXPECT_TRUE(tail.ends_with("line 100")) << tail;
    const JobOutcome wide =
        ended(0, "first\n" + std::string(5000, 'x') + "\n" + std::string(5000, 'y') + "\n");
    EXPECT_EQ(test_run(job, &wide).output_tail, std::string(5000, 'y'));
}

} // namespace
} // namespace kmatrix

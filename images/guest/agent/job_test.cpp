// SPDX-License-Identifier: GPL-2.0-only
// Real processes, run below the test program, which becomes their subreaper.
#include "images/guest/agent/job.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "images/guest/agent/spawn.h"

namespace kmatrix::guest {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

class RunJob : public testing::Test {
  protected:
    RunJob() : channel(Fd(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600))) {}

    JobEnd run(const std::string& script, double timeout_s = 20) {
        return run({"test", {"/bin/sh", "-c", script}, "/", timeout_s, {}});
    }
    JobEnd run(const Job& job) {
        const ChildWatch watch;
        const JobEnd end = run_job(job, limits, channel, watch);
        EXPECT_TRUE(channel.flush(5s)) << channel.error();
        read_records();
        EXPECT_THAT(names_below(), IsEmpty());
        return end;
    }
    void read_records() {
        std::string text;
        char buffer[65536];
        lseek(channel.fd(), 0, SEEK_SET);
        for (ssize_t got = 0; (got = read(channel.fd(), buffer, sizeof buffer)) > 0;) {
            text.append(buffer, static_cast<std::size_t>(got));
        }
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            records.push_back(Json::parse(line));
        }
    }
    std::string output(const std::string& stream) const {
        std::string text;
        for (const auto& record : records) {
            if (record["type"] == "output" && record["stream"] == stream) {
                text += record["text"].get<std::string>();
            }
        }
        return text;
    }

    JobLimits limits;
    Channel channel;
    std::vector<Json> records;
};

TEST_F(RunJob, OutputAndExitStatus) {
    const auto end = run("echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three; exit 4");
    EXPECT_EQ(end.exit, 4);
    EXPECT_EQ(end.signal, 0);
    EXPECT_FALSE(end.timed_out);
    EXPECT_GE(end.seconds, 0.1);
    ASSERT_EQ(records.size(), 5u);
    EXPECT_EQ(records[0]["type"], "start");
    EXPECT_GT(records[0]["uptime_s"], 0);
    EXPECT_EQ(records[1]["text"], "one\n");
    EXPECT_EQ(records[1]["stream"], "out");
    EXPECT_EQ(records[2]["text"], "two\n");
    EXPECT_EQ(records[2]["stream"], "err");
    EXPECT_EQ(records[3]["text"], "three\n");
    EXPECT_EQ(records[4]["type"], "end");
    EXPECT_EQ(records[4]["exit"], 4);
    EXPECT_EQ(records[4]["id"], "test");
}

TEST_F(RunJob, ASignalIsNamed) {
    const auto end = run("kill -SEGV $$");
    EXPECT_EQ(end.exit, 0);
    EXPECT_EQ(end.signal, SIGSEGV);
    EXPECT_FALSE(end.timed_out);
}

TEST_F(RunJob, TheLimitKillsTheGroup) {
    const auto end = run("echo before; sleep 100 & sleep 100", 0.2);
    EXPECT_TRUE(end.timed_out);
    EXPECT_EQ(end.signal, SIGKILL);
    EXPECT_LT(end.seconds, 5);
    EXPECT_EQ(output("out"), "before\n");
}

TEST_F(RunJob, TheLimitKillsWhoLeftTheGroup) {
    const auto end = run("setsid setsid sleep 100 & (setsid sleep 100 &) ; sleep 100", 0.3);
    EXPECT_TRUE(end.timed_out);
    EXPECT_LT(end.seconds, 5);
}

TEST_F(RunJob, OrphansDoNotOutliveTheJob) {
    const auto end = run("(setsid sleep 100 >/dev/null &) ; exit 0");
    EXPECT_EQ(end.exit, 0);
    EXPECT_FALSE(end.timed_out);
    EXPECT_LT(end.seconds, 5);
}

TEST_F(RunJob, AnOrphanThatHoldsThePipeDoesNotHoldTheJob) {
    const auto end = run("sleep 100 & echo done");
    EXPECT_FALSE(end.timed_out);
    EXPECT_EQ(output("out"), "done\n");
}

TEST_F(RunJob, WhatCannotBeRunSaysWhy) {
    const auto end = run(Job{"gone", {"./no-such-program"}, "/tmp", 5, {}});
    EXPECT_EQ(end.exit, 127);
    EXPECT_EQ(output("err"), "kmatrix-agent: cannot run ./no-such-program in /tmp: "
                             "No such file or directory\n");
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[2]["exit"], 127);
}

TEST_F(RunJob, AFolderThatIsNotThereSaysSo) {
    const auto end = run(Job{"gone", {"/bin/true"}, "/no/such/folder", 5, {}});
    EXPECT_EQ(end.exit, 127);
    EXPECT_EQ(output("err"),
              "kmatrix-agent: cannot change to /no/such/folder: No such file or directory\n");
}

TEST_F(RunJob, TheProgramIsFoundInTheWorkingDirectory) {
    const auto end = run(Job{"sh", {"./sh", "-c", "pwd; echo $0"}, "/bin", 5, {}});
    EXPECT_EQ(end.exit, 0);
    EXPECT_THAT(output("out"), HasSubstr("./sh\n"));
}

TEST_F(RunJob, OutputHasABound) {
    limits.output_bytes = 10'000;
    const auto end = run("head -c 300000 /dev/zero | tr '\\0' x; echo tail");
    EXPECT_EQ(end.exit, 0);
    EXPECT_EQ(output("out"), std::string(10'000, 'x'));
    EXPECT_EQ(output("err"), "\nkmatrix-agent: 10000 bytes of output kept, 290005 more dropped\n");
}

TEST_F(RunJob, ALotOfOutputComesWhole) {
    run("seq 1 100000");
    std::string expected;
    for (int i = 1; i <= 100'000; ++i) {
        expected += std::to_string(i) + "\n";
    }
    EXPECT_EQ(output("out"), expected);
    for (const auto& record : records) {
        if (record["type"] == "output") {
            ASSERT_LE(record["text"].get<std::string>().size(), output_record_bytes);
        }
    }
}

TEST_F(RunJob, NothingOnStdinAndNoAlienDescriptors) {
    run("cat; ls /proc/self/fd | tr '\\n' ' '");
    // 3 is ls's own, of the folder.
    EXPECT_EQ(output("out"), "0 1 2 3 ");
}

TEST_F(RunJob, AHostThatDoesNotReadHoldsNobodyUp) {
    Pipe pipe = make_pipe();
    fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK);
    Channel unread{std::move(pipe.write_end)};
    const ChildWatch watch;
    const auto end =
        run_job({"flood", {"/bin/sh", "-c", "yes"}, "/", 0.5, {}}, limits, unread, watch);
    EXPECT_TRUE(end.timed_out);
    EXPECT_LT(end.seconds, 5);
    EXPECT_TRUE(unread.has_unsent());
    EXPECT_FALSE(unread.flush(20ms));
}

TEST_F(RunJob, AHostThatIsGoneIsAnErrorOfTheChannel) {
    signal(SIGPIPE, SIG_IGN);
    Pipe pipe = make_pipe();
    pipe.read_end.reset();
    Channel broken{std::move(pipe.write_end)};
    broken.send("a\n");
    EXPECT_THAT(broken.error(), HasSubstr("Broken pipe"));
    EXPECT_FALSE(broken.flush(20ms));
}

TEST(JobEnvironment, TheJobsOwnWins) {
    const auto environment = environment_of({"x", {"y"}, "/", 0, {"HOME=/root", "KEY=a=b"}});
    EXPECT_THAT(environment, Contains("HOME=/root"));
    EXPECT_THAT(environment, Not(Contains("HOME=/")));
    EXPECT_THAT(environment, Contains("KEY=a=b"));
    EXPECT_THAT(environment, Contains(StartsWith("PATH=")));
}

} // namespace
} // namespace kmatrix::guest

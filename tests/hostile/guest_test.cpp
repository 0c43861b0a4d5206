// SPDX-License-Identifier: GPL-2.0-only
// A guest that lies on the agent's channel and floods what it is connected to. What it says of its
// own kernel it can always forge (SECURITY.md); it must not get further than that.
#include <cstdlib>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "results/console/scanner.h"
#include "results/transcript.h"
#include "runner/vm/boot.h"
#include "runner/vm/fake.h"

namespace kmatrix {
namespace {
namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::SizeIs;
using Life = asio::awaitable<GuestEnd>;

const std::string hello_line = R"({"type": "hello", "protocol": 1, "vitals": {}})"
                               "\n";
const std::string start_line = R"({"type": "start", "id": "a", "uptime_s": 1})"
                               "\n";
const std::string end_line =
    R"({"type": "end", "id": "a", "exit": 0, "signal": 0, "timed_out": false, )"
    R"("seconds": 1})"
    "\n";
const std::string done_line = R"({"type": "done"})"
                              "\n";

class HostileGuest : public testing::Test {
  protected:
    HostileGuest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-guest-XXXXXX").string();
        directory_ = ::mkdtemp(name.data());
    }
    ~HostileGuest() override { fs::remove_all(directory_); }

    Result<BootEnd> boot(FakeHypervisor::Life life) {
        BootSpec spec;
        spec.limits = {.boot = 2s,
                       .boot_silence = 1s,
                       .idle_silence = 1s,
                       .job_slack = 100ms,
                       .shutdown = 500ms,
                       .total = 60s};
        spec.console = directory_ / "console";
        spec.channel = directory_ / "channel";
        spec.log_limit_bytes = 1u << 20;
        BootListener listener{[this](std::string_view bytes) { scanner_.feed(bytes); },
                              [this](std::string_view bytes) {
                                  transcript_.feed(bytes);
                                  AgentState state;
                                  state.spoke = transcript_.said_hello();
                                  state.done = transcript_.is_done();
                                  if (const JobOutcome* job = transcript_.running()) {
                                      state.job = job->id;
                                      state.job_limit_s = 0.2;
                                  }
                                  return state;
                              },
                              [] { return std::string(); }};
        FakeHypervisor hypervisor(std::move(life));
        asio::io_context context;
        Result<BootEnd> result;
        asio::co_spawn(context, run_boot(hypervisor, std::move(spec), std::move(listener)),
                       [&](std::exception_ptr thrown, Result<BootEnd> boot_end) {
                           EXPECT_FALSE(thrown);
                           result = std::move(boot_end);
                       });
        context.run();
        transcript_.finish();
        scanner_.finish();
        EXPECT_EQ(hypervisor.running(), 0);
        return result;
    }

    fs::path directory_;
    Transcript transcript_;
    ConsoleScanner scanner_;
};

TEST_F(HostileGuest, ForgedRecordsStandBesideTheRealOnesAndAreNoted) {
    const auto boot_end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel(hello_line + start_line);
        // A test writes to the port itself: its own success, the whole boot's, and another start.
        output.channel(end_line + done_line + hello_line);
        // And then the agent says what happened.
        output.channel(R"({"type": "end", "id": "a", "exit": 1, "signal": 0, "timed_out": false, )"
                       R"("seconds": 9})"
                       "\n" +
                       done_line);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(boot_end);
    EXPECT_GE(transcript_.anomaly_count(), 3u);
    std::string all;
    for (const auto& anomaly : transcript_.anomalies())
        all += anomaly.what + "\n";
    EXPECT_THAT(all, HasSubstr("ends for a second time"));
    EXPECT_THAT(all, HasSubstr("a second hello"));
    EXPECT_THAT(all, HasSubstr("after \"done\""));
}

TEST_F(HostileGuest, ADoneThatIsNotFollowedByTheEndIsAHang) {
    const auto boot_end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel(hello_line + done_line);
        for (;;) { // it goes on talking for ever
            output.console("still here\n");
            output.channel(hello_line);
            co_await pass(10ms);
        }
    });
    ASSERT_TRUE(boot_end);
    EXPECT_FALSE(std::holds_alternative<Completed>(boot_end->outcome));
}

TEST_F(HostileGuest, AnEndlessLineEndsWithTheBoot) {
    const auto boot_end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel(hello_line + start_line);
        const std::string piece(64u << 10, 'x');
        for (;;) {
            output.channel(piece);
            output.console(piece);
            co_await pass(1ms);
        }
    });
    ASSERT_TRUE(boot_end);
    EXPECT_TRUE(std::holds_alternative<DeadlinePassed>(boot_end->outcome) ||
                std::holds_alternative<Hung>(boot_end->outcome));
    EXPECT_LT(fs::file_size(directory_ / "console"), (1u << 20) + (128u << 10));
    EXPECT_LT(fs::file_size(directory_ / "channel"), (1u << 20) + (128u << 10));
    EXPECT_GE(transcript_.anomaly_count(), 1u);
}

TEST_F(HostileGuest, AGigabyteOnTheConsoleIsHeardAndNotKept) {
    const auto boot_end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel(hello_line);
        std::string piece;
        while (piece.size() < (1u << 20))
            piece += "[    1.234567] a line that the kernel prints, and nothing is wrong with it\n";
        for (int i = 0; i < 1024; ++i)
            output.console(piece);
        output.console("[    9.000000] BUG: kernel NULL pointer dereference, address: 0\n");
        output.channel(done_line);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(boot_end);
    EXPECT_TRUE(std::holds_alternative<Completed>(boot_end->outcome));
    EXPECT_LT(fs::file_size(directory_ / "console"), (1u << 20) + (128u << 10));
    EXPECT_THAT(boot_end->console_tail, HasSubstr("NULL pointer"));
    EXPECT_THAT(scanner_.findings(), SizeIs(1)); // though the log's middle is left out
}

TEST_F(HostileGuest, WhatIsKeptOfAJobHasALimit) {
    Transcript transcript;
    transcript.feed(hello_line + start_line);
    const std::string piece = R"({"type": "output", "id": "a", "stream": "out", "text": ")" +
                              std::string(900'000, 'y') + "\"}\n";
    for (int i = 0; i < 400; ++i)
        transcript.feed(piece);
    EXPECT_LE(transcript.find("a")->out.size(), std::size_t{256} << 20);
    EXPECT_GT(transcript.anomaly_count(), 50u);
    EXPECT_THAT(transcript.anomalies(), SizeIs(100));
}

TEST_F(HostileGuest, SoHasTheNumberOfJobs) {
    Transcript transcript;
    transcript.feed(hello_line);
    for (int i = 0; i < 20'000; ++i)
        transcript.feed(
            fmt::format("{{\"type\": \"start\", \"id\": \"j{}\", \"uptime_s\": 1}}\n", i));
    EXPECT_THAT(transcript.jobs(), SizeIs(10'000));
    EXPECT_NE(transcript.find("j9999"), nullptr);
    EXPECT_EQ(transcript.find("j10000"), nullptr);
}

TEST_F(HostileGuest, LiesAboutNumbersAreNoNumbers) {
    for (
        const char* line :
        {R"({"type": "end", "id": "a", "exit": -1, "signal": 0, "timed_out": false, "seconds": 1})",
         R"({"type": "end", "id": "a", "exit": 99999999999, "signal": 0, "timed_out": false, "seconds": 1})",
         R"({"type": "end", "id": "a", "exit": 0, "signal": 0, "timed_out": false, "seconds": 1e999})",
         R"({"type": "end", "id": "a", "exit": 0, "signal": 0, "timed_out": false, "seconds": -5})",
         R"({"type": "start", "id": ["a"], "uptime_s": 1})", R"([[[[[[[[{"type": "done"}]]]]]]]])",
         "\x1b[2J\xFF\xFE{", ""}) {
        const auto record = transcript::read_record(line);
        EXPECT_FALSE(record) << line;
    }
    // Deep nesting is read without a stack of its depth.
    const std::string deep = R"({"type": "done", "x": )" + std::string(500'000, '[');
    EXPECT_FALSE(transcript::read_record(deep));
    EXPECT_TRUE(transcript::read_record(deep + std::string(500'000, ']') + "}"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/boot.h"

#include <memory>

#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/vm/fake.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::VariantWith;
using Life = asio::awaitable<GuestEnd>;

// Of a guest that is to end by itself, however busy this machine is.
constexpr Deadlines patient{.boot = 60s,
                            .boot_silence = 60s,
                            .idle_silence = 60s,
                            .job_slack = 60s,
                            .shutdown = 60s,
                            .total = 120s};
// Short enough to wait for, where one is to pass.
constexpr Deadlines hasty{.boot = 200ms,
                          .boot_silence = 100ms,
                          .idle_silence = 100ms,
                          .job_slack = 50ms,
                          .shutdown = 100ms,
                          .total = 10s};

class BootTest : public ::testing::Test {
  protected:
    BootTest() {
        std::string name = (fs::temp_directory_path() / "boot-XXXXXX").string();
        directory = ::mkdtemp(name.data());
    }
    ~BootTest() override { fs::remove_all(directory); }

    BootSpec spec() const {
        BootSpec spec;
        spec.limits = limits;
        spec.console = directory / "console";
        spec.channel = directory / "channel";
        return spec;
    }

    // An agent that speaks in words: "hello", "job" (of 50 ms), "end", "done".
    BootListener listener() {
        return {[this](std::string_view bytes) { console.append(bytes); },
                [this](std::string_view bytes) {
                    agent.last_record = bytes;
                    agent.spoke = true;
                    agent.done = bytes == "done";
                    agent.job = bytes == "job" ? "job" : "";
                    agent.job_limit_s = bytes == "job" ? 0.05 : 0;
                    return agent;
                },
                [this] {
                    const std::size_t panic = console.find("Kernel panic");
                    return panic == std::string::npos ? "" : console.substr(panic);
                }};
    }

    Result<BootEnd> boot(FakeHypervisor::Life life) { return boot(std::move(life), spec()); }
    Result<BootEnd> boot(FakeHypervisor::Life life, BootSpec spec) {
        FakeHypervisor hypervisor(std::move(life));
        hypervisor.refusal = refusal;
        asio::io_context context;
        Result<BootEnd> result;
        asio::co_spawn(context, run_boot(hypervisor, std::move(spec), listener()),
                       asio::bind_cancellation_slot(
                           cancel.slot(), [&](std::exception_ptr exception, Result<BootEnd> end) {
                               failure = exception;
                               result = std::move(end);
                           }));
        context.run();
        EXPECT_EQ(hypervisor.running(), 0);
        return result;
    }

    fs::path directory;
    Deadlines limits = patient;
    AgentState agent;
    std::string console;
    std::optional<Error> refusal;
    asio::cancellation_signal cancel;
    std::exception_ptr failure;
};

// A BootEnd whose outcome is this one, and like that.
template <class Outcome, class Matcher>
auto ends_in(const Matcher& outcome) {
    return Field(&BootEnd::outcome, VariantWith<Outcome>(outcome));
}
template <class Outcome>
auto ends_in() {
    return ends_in<Outcome>(::testing::_);
}

TEST_F(BootTest, AGuestThatSaysDoneAndPowersOffIsCompleted) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.console("Linux version 7.3.4\n");
        co_await pass(2ms);
        output.channel("hello");
        output.channel("job");
        co_await pass(2ms);
        output.channel("end");
        output.channel("done");
        output.console("reboot: Power down\n");
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Completed>());
    EXPECT_GT(end->first_word_s, 0);
    EXPECT_GE(end->seconds, end->first_word_s);
    EXPECT_EQ(end->console_tail, "Linux version 7.3.4\nreboot: Power down");
    EXPECT_EQ(read_file(directory / "console"), "Linux version 7.3.4\nreboot: Power down\n");
    EXPECT_EQ(read_file(directory / "channel"), "hellojobenddone");
}

TEST_F(BootTest, AGuestThatPowersOffBeforeTheLastRecordLostItsAgent) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel("hello");
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<AgentLost>(Field(&AgentLost::last_record, "hello")));
}

TEST_F(BootTest, AReportedPanicHasTheConsolesTitle) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel("hello");
        output.console("Kernel panic - not syncing: VFS");
        co_return Crashed{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end,
                ends_in<Panicked>(Field(&Panicked::title, "Kernel panic - not syncing: VFS")));
}

TEST_F(BootTest, APanicIsOneEvenIfTheMachineOnlyRebooted) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.console("Kernel panic - not syncing: VFS");
        co_return Rebooted{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Panicked>());
}

TEST_F(BootTest, APanicAfterTheLastRecordIsOne) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel("done");
        co_return Crashed{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Panicked>(Field(&Panicked::title, HasSubstr("console shows"))));
}

TEST_F(BootTest, APanicThatStandsStillIsOneToo) {
    limits = hasty;
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.console("Kernel panic - not syncing: VFS");
        co_await pass(10s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Panicked>());
}

TEST_F(BootTest, ARebootIsAReset) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel("hello");
        co_return Rebooted{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Reset>());
}

TEST_F(BootTest, SilenceInTheMiddleOfTheBootIsAHang) {
    limits = hasty;
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.console("Linux version 7.3.4\n");
        co_await pass(10s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Hung>(Field(&Hung::silent_s, Ge(0.030))));
    EXPECT_EQ(end->first_word_s, 0);
}

TEST_F(BootTest, WhatKeepsPrintingAndNeverSpeaksHasNeverBooted) {
    limits.boot = hasty.boot;
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        for (;;) {
            output.console("again\n");
            co_await pass(1ms);
        }
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<NeverBooted>(Field(&NeverBooted::waited_s, Ge(0.06))));
}

TEST_F(BootTest, SilenceFromTheBeginningIsNoBoot) {
    limits = hasty;
    const auto end = boot([](GuestSpec, GuestOutput) -> Life {
        co_await pass(10s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<NeverBooted>());
}

TEST_F(BootTest, AJobThatPrintsBeyondItsLimitPassesTheDeadline) {
    limits.job_slack = hasty.job_slack;
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        for (;;) {
            output.channel("job");
            co_await pass(1ms);
        }
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<DeadlinePassed>(Field(&DeadlinePassed::waited_s, Ge(0.05))));
}

TEST_F(BootTest, AMachineThatStaysOnAfterTheLastRecordHangs) {
    limits = hasty;
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.channel("done");
        co_await pass(10s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Hung>());
}

TEST_F(BootTest, AShorterLimitIsSeenAtOnce) {
    limits = hasty;
    BootSpec slow = spec();
    slow.limits.idle_silence = 60s;
    slow.limits.job_slack = 60s;
    const auto end = boot(
        [](GuestSpec, GuestOutput output) -> Life {
            output.channel("job");
            co_await pass(1ms);
            output.channel("done");
            co_await pass(10s);
            co_return PoweredOff{};
        },
        slow);
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Hung>());
    EXPECT_LT(end->seconds, 5);
}

TEST_F(BootTest, AnEmulatorThatDiesIsNoVerdict) {
    const auto end = boot([](GuestSpec, GuestOutput output) -> Life {
        output.console("Kernel panic - not syncing: VFS");
        co_return Died{"killed by signal 9", "qemu: last words"};
    });
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().blame, Blame::infrastructure);
    EXPECT_EQ(end.error().message, "the virtual machine died: killed by signal 9");
    EXPECT_EQ(end.error().output_tail, "qemu: last words");
}

TEST_F(BootTest, AMachineThatDoesNotStartIsNoVerdict) {
    refusal = Error{Blame::infrastructure, "no memory", {}, {}};
    const auto end = boot(nullptr);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "no memory");
}

TEST_F(BootTest, LogsAreCappedAndListenersHearAll) {
    BootSpec capped = spec();
    capped.log_limit_bytes = 10;
    const auto end = boot(
        [](GuestSpec, GuestOutput output) -> Life {
            for (int i = 0; i < 100; ++i)
                output.console(std::string(1023, 'x') + "\n");
            output.console("Kernel panic - not syncing: late\n");
            co_return Crashed{};
        },
        capped);
    ASSERT_TRUE(end);
    EXPECT_THAT(*end, ends_in<Panicked>(Field(&Panicked::title, HasSubstr("late"))));
    EXPECT_EQ(console.size(), 100u * 1024 + 33);
    const std::string log = read_file(directory / "console").value();
    EXPECT_LT(log.size(), 70'000u);
    EXPECT_THAT(log, EndsWith("late\n"));
}

TEST_F(BootTest, ALogThatCannotBeWrittenIsSaid) {
    BootSpec full = spec();
    full.console = "/dev/full";
    const auto end = boot(
        [](GuestSpec, GuestOutput output) -> Life {
            output.console("x");
            output.channel("done");
            co_return PoweredOff{};
        },
        full);
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message, HasSubstr("/dev/full: cannot be written"));
}

TEST_F(BootTest, CancelledItKillsTheGuest) {
    const auto end = boot([this](GuestSpec, GuestOutput output) -> Life {
        output.channel("hello");
        co_await pass(1ms);
        cancel.emit(asio::cancellation_type::terminal);
        co_await pass(10s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(failure);
    try {
        std::rethrow_exception(failure);
    } catch (const boost::system::system_error& error) {
        EXPECT_EQ(error.code(), asio::error::operation_aborted);
    }
}

} // namespace
} // namespace kmatrix

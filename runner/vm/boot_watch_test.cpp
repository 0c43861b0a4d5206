// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/boot_watch.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using namespace std::chrono_literals;
using ::testing::DoubleEq;
using ::testing::Field;
using ::testing::Optional;
using ::testing::VariantWith;

constexpr Deadlines watch_limits{.boot = 100s,
                                 .boot_silence = 40s,
                                 .idle_silence = 50s,
                                 .job_slack = 20s,
                                 .shutdown = 10s,
                                 .total = 1000s};

class BootWatchTest : public ::testing::Test {
  protected:
    BootWatch::Clock::time_point at(std::chrono::seconds time) const { return power_on + time; }
    void console_until(std::chrono::seconds end) {
        for (auto time = 0s; time <= end; time += 1s)
            watch.heard_console(at(time));
    }

    const BootWatch::Clock::time_point power_on{12345s};
    BootWatch watch{watch_limits, power_on};
};

auto hung(double silent_s) {
    return Optional(VariantWith<Hung>(Field(&Hung::silent_s, DoubleEq(silent_s))));
}
auto never_booted(double waited_s) {
    return Optional(VariantWith<NeverBooted>(Field(&NeverBooted::waited_s, DoubleEq(waited_s))));
}
auto deadline_passed(double waited_s) {
    return Optional(
        VariantWith<DeadlinePassed>(Field(&DeadlinePassed::waited_s, DoubleEq(waited_s))));
}

TEST_F(BootWatchTest, AGuestThatNeverSaysAnythingHasNeverBooted) {
    EXPECT_EQ(watch.next(), at(40s));
    EXPECT_EQ(watch.passed(at(39s)), std::nullopt);
    EXPECT_THAT(watch.passed(at(40s)), never_booted(40));
    EXPECT_EQ(watch.first_word_s(), 0);
}

TEST_F(BootWatchTest, AConsoleThatFallsSilentBeforeTheAgentSpokeIsAHang) {
    console_until(30s);
    EXPECT_EQ(watch.next(), at(70s));
    EXPECT_THAT(watch.passed(at(71s)), hung(41));
}

TEST_F(BootWatchTest, AConsoleThatGoesOnWithoutTheAgentHasNeverBooted) {
    console_until(99s);
    EXPECT_EQ(watch.next(), at(100s));
    EXPECT_THAT(watch.passed(at(100s)), never_booted(100));
}

TEST_F(BootWatchTest, TheAgentsFirstWordEndsTheBootsDeadline) {
    watch.heard_channel(at(30s), {.spoke = true});
    EXPECT_EQ(watch.next(), at(80s));
    EXPECT_DOUBLE_EQ(watch.first_word_s(), 30);
    watch.heard_channel(at(60s), {.spoke = true});
    EXPECT_DOUBLE_EQ(watch.first_word_s(), 30);
    EXPECT_THAT(watch.passed(at(110s)), hung(50));
}

TEST_F(BootWatchTest, BytesThatAreNoHelloAreNoFirstWord) {
    watch.heard_console(at(60s));
    watch.heard_channel(at(90s), {});
    EXPECT_EQ(watch.next(), at(100s));
    EXPECT_THAT(watch.passed(at(100s)), never_booted(100));
}

TEST_F(BootWatchTest, AJobMayBeSilentUpToItsLimitAndTheSlack) {
    watch.heard_channel(at(10s), {.spoke = true});
    watch.heard_channel(at(20s), {.spoke = true, .job = "proc:read", .job_limit_s = 200});
    EXPECT_EQ(watch.next(), at(240s));
    EXPECT_EQ(watch.passed(at(239s)), std::nullopt);
    EXPECT_THAT(watch.passed(at(240s)), hung(220));
}

TEST_F(BootWatchTest, OutputOfAJobDoesNotMoveItsLimit) {
    watch.heard_channel(at(20s), {.spoke = true, .job = "a", .job_limit_s = 200});
    watch.heard_channel(at(235s), {.spoke = true, .job = "a", .job_limit_s = 200});
    EXPECT_EQ(watch.next(), at(240s));
    EXPECT_THAT(watch.passed(at(240s)), deadline_passed(240));
}

TEST_F(BootWatchTest, TheNextJobHasItsOwnLimit) {
    watch.heard_channel(at(20s), {.spoke = true, .job = "a", .job_limit_s = 200});
    watch.heard_channel(at(100s), {.spoke = true, .job = "b", .job_limit_s = 30});
    EXPECT_EQ(watch.next(), at(150s));
    watch.heard_channel(at(130s), {.spoke = true});
    EXPECT_EQ(watch.next(), at(180s));
}

TEST_F(BootWatchTest, AJobWithoutALimitHasTheBootsWhole) {
    watch.heard_channel(at(20s), {.spoke = true, .job = "a"});
    EXPECT_EQ(watch.next(), at(1000s));
    watch.heard_console(at(960s));
    EXPECT_THAT(watch.passed(at(1000s)), deadline_passed(1000));
}

TEST_F(BootWatchTest, TheWholeBootHasALimitToo) {
    watch.heard_channel(at(20s), {.spoke = true, .job = "a", .job_limit_s = 5000});
    EXPECT_EQ(watch.next(), at(1000s));
    EXPECT_THAT(watch.passed(at(1000s)), hung(980));
}

TEST_F(BootWatchTest, AMachineThatDoesNotGoOffAfterTheLastRecordHangs) {
    watch.heard_channel(at(20s), {.spoke = true, .done = true});
    EXPECT_EQ(watch.next(), at(30s));
    watch.heard_console(at(25s));
    EXPECT_EQ(watch.next(), at(30s));
    EXPECT_EQ(watch.passed(at(29s)), std::nullopt);
    EXPECT_THAT(watch.passed(at(30s)), hung(5));
}

} // namespace
} // namespace kmatrix

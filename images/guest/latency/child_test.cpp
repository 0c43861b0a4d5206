// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/child.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "images/guest/latency/sample.h"

namespace kmatrix::guest {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Expected<void> hear(Child& child, const std::string& word, std::chrono::milliseconds limit = 10s) {
    std::vector<Child*> children{&child};
    return await_word(children, 0, word, limit);
}

TEST(Child, IsPinnedNicedAndHeard) {
    const int cpu = usable_cpus().back();
    auto child = Child::start({"tester", cpu, 19}, [&](ChildPort& port) {
        port.say(sched_getcpu() == cpu ? "right-cpu" : "error wrong cpu");
        port.say(getpriority(PRIO_PROCESS, 0) == 19 ? "nice" : "error not nice");
        port.wait_for_order();
        port.say("ordered");
    });
    ASSERT_TRUE(child) << child.error();
    EXPECT_TRUE(hear(*child, "right-cpu"));
    EXPECT_TRUE(hear(*child, "nice"));
    child->order();
    EXPECT_TRUE(hear(*child, "ordered"));
    EXPECT_TRUE(child->wait_for_end(10s));
}

TEST(Child, ACpuThatIsNotThereIsAnError) {
    auto child = Child::start({"tester", 1000, 0}, [](ChildPort& port) { port.say("running"); });
    ASSERT_TRUE(child);
    const auto heard = hear(*child, "running");
    ASSERT_FALSE(heard);
    EXPECT_THAT(heard.error(), HasSubstr("tester cannot be pinned to CPU 1000"));
}

TEST(Child, ItsDeathIsNoticedWhileAnotherIsWaitedFor) {
    const int cpu = usable_cpus().front();
    auto quiet = Child::start({"quiet", cpu, 0}, [](ChildPort& port) { port.wait_for_order(); });
    auto dying = Child::start({"dying", cpu, 0}, [](ChildPort&) { raise(SIGKILL); });
    ASSERT_TRUE(quiet && dying);
    std::vector<Child*> children{&*quiet, &*dying};
    const auto heard = await_word(children, 0, "done", 10s);
    ASSERT_FALSE(heard);
    EXPECT_EQ(heard.error(), "dying was killed by signal 9");
}

TEST(Child, SilenceEndsTheWaiting) {
    auto child = Child::start({"silent", usable_cpus().front(), 0},
                              [](ChildPort& port) { port.wait_for_order(); });
    ASSERT_TRUE(child);
    const auto heard = hear(*child, "done", 20ms);
    ASSERT_FALSE(heard);
    EXPECT_THAT(heard.error(), HasSubstr("silent did not get done"));
    EXPECT_FALSE(child->wait_for_end(20ms));
}

TEST(Child, AnExitStatusIsAnError) {
    auto child = Child::start({"failing", usable_cpus().front(), 0}, [](ChildPort&) { _exit(3); });
    ASSERT_TRUE(child);
    const auto ended = child->wait_for_end(10s);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error(), "failing ended with status 3");
}

} // namespace
} // namespace kmatrix::guest

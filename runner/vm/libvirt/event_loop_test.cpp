// SPDX-License-Identifier: GPL-2.0-only
// Through libvirt's own functions, which call what EventLoop registered.
#include "runner/vm/libvirt/event_loop.h"

#include <array>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gmock/gmock.h>

namespace kmatrix::libvirt {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventLoopTest : public ::testing::Test {
  protected:
    EventLoopTest() {
        EXPECT_EQ(::pipe(ends.data()), 0);
        EventLoop::instance().attach(context.get_executor());
    }
    ~EventLoopTest() override {
        for (const int watch : watches)
            virEventRemoveHandle(watch);
        for (const int timer : timers)
            virEventRemoveTimeout(timer);
        run_for(5ms);
        EventLoop::instance().detach();
        close_writer();
        ::close(ends[0]);
    }

    void close_writer() {
        if (ends[1] >= 0)
            ::close(std::exchange(ends[1], -1));
    }
    void write() const { EXPECT_EQ(::write(ends[1], "x", 1), 1); }
    int watch(int events) {
        const int id = virEventAddHandle(
            ends[0], events,
            [](int, int fd, int ready, void* opaque) {
                auto& self = *static_cast<EventLoopTest*>(opaque);
                EXPECT_EQ(fd, self.ends[0]);
                self.ready.push_back(ready);
                if (self.on_ready)
                    self.on_ready();
            },
            this, [](void* opaque) { ++static_cast<EventLoopTest*>(opaque)->freed; });
        watches.push_back(id);
        return id;
    }
    void read_one() const {
        char byte = 0;
        EXPECT_EQ(::read(ends[0], &byte, 1), 1);
    }
    int timeout(int interval_ms) {
        const int id = virEventAddTimeout(
            interval_ms,
            [](int, void* opaque) {
                auto& self = *static_cast<EventLoopTest*>(opaque);
                ++self.fired;
                if (self.on_fired)
                    self.on_fired();
            },
            this, [](void* opaque) { ++static_cast<EventLoopTest*>(opaque)->freed; });
        timers.push_back(id);
        return id;
    }
    void run_for(std::chrono::milliseconds time) {
        context.restart();
        context.run_for(time);
    }
    // Until the condition holds, at most five seconds.
    void run_until(const std::function<bool()>& condition) {
        context.restart();
        const auto end = std::chrono::steady_clock::now() + 5s;
        while (!condition() && std::chrono::steady_clock::now() < end)
            context.run_one_for(100ms);
        EXPECT_TRUE(condition());
    }

    asio::io_context context;
    std::array<int, 2> ends{};
    std::vector<int> watches, timers, ready;
    int fired = 0, freed = 0;
    std::function<void()> on_ready, on_fired;
};

TEST_F(EventLoopTest, ReadableIsTold) {
    on_ready = [this] { read_one(); };
    watch(VIR_EVENT_HANDLE_READABLE);
    run_for(5ms);
    EXPECT_THAT(ready, IsEmpty());
    write();
    run_until([&] { return !ready.empty(); });
    EXPECT_THAT(ready, ElementsAre(VIR_EVENT_HANDLE_READABLE));
    write();
    run_until([&] { return ready.size() == 2; });
}

TEST_F(EventLoopTest, IsToldAgainAsLongAsItIsReadable) {
    watch(VIR_EVENT_HANDLE_READABLE);
    write();
    run_until([&] { return ready.size() == 3; });
}

TEST_F(EventLoopTest, NothingIsToldWhatNobodyAskedFor) {
    const int id = watch(0);
    write();
    run_for(5ms);
    EXPECT_THAT(ready, IsEmpty());
    on_ready = [id] { virEventUpdateHandle(id, 0); };
    virEventUpdateHandle(id, VIR_EVENT_HANDLE_READABLE);
    run_until([&] { return !ready.empty(); });
    run_for(5ms);
    EXPECT_THAT(ready, ElementsAre(VIR_EVENT_HANDLE_READABLE));
}

TEST_F(EventLoopTest, ThePeersEndIsToldEvenIfOnlyErrorsAreAskedFor) {
    const int id = watch(VIR_EVENT_HANDLE_HANGUP | VIR_EVENT_HANDLE_ERROR);
    on_ready = [id] { virEventUpdateHandle(id, 0); };
    write();
    run_for(5ms);
    EXPECT_THAT(ready, IsEmpty());
    close_writer();
    run_until([&] { return !ready.empty(); });
    EXPECT_EQ(ready[0], VIR_EVENT_HANDLE_HANGUP);
}

TEST_F(EventLoopTest, RemovedIsFreedLaterAndOnce) {
    const int id = watch(VIR_EVENT_HANDLE_READABLE);
    run_for(5ms);
    EXPECT_EQ(virEventRemoveHandle(id), 0);
    EXPECT_EQ(freed, 0);
    EXPECT_EQ(virEventRemoveHandle(id), -1);
    write();
    run_until([&] { return freed == 1; });
    EXPECT_THAT(ready, IsEmpty());
}

TEST_F(EventLoopTest, ADescriptorMayBeClosedAsSoonAsItIsRemoved) {
    const int id = watch(VIR_EVENT_HANDLE_READABLE);
    run_for(5ms);
    virEventRemoveHandle(id);
    ::close(ends[0]);
    ::close(ends[1]);
    ASSERT_EQ(::pipe(ends.data()), 0); // most likely the same numbers
    on_ready = [this] { read_one(); };
    watch(VIR_EVENT_HANDLE_READABLE);
    write();
    run_until([&] { return ready.size() == 1; });
}

TEST_F(EventLoopTest, ATimeoutFiresAgainAndAgainUntilItIsDisabled) {
    const int id = timeout(1);
    run_until([&] { return fired == 3; });
    on_fired = [id] { virEventUpdateTimeout(id, -1); };
    run_until([&] { return fired == 4; });
    run_for(10ms);
    EXPECT_EQ(fired, 4);
}

TEST_F(EventLoopTest, ADisabledTimeoutWaitsToBeEnabled) {
    const int id = timeout(-1);
    run_for(5ms);
    EXPECT_EQ(fired, 0);
    on_fired = [id] { virEventUpdateTimeout(id, -1); };
    virEventUpdateTimeout(id, 0);
    run_until([&] { return fired == 1; });
    EXPECT_EQ(virEventRemoveTimeout(id), 0);
    run_until([&] { return freed == 1; });
}

TEST_F(EventLoopTest, OtherThreadsMayAsk) {
    std::thread other([this] {
        on_fired = [this] { virEventRemoveTimeout(timers[0]); };
        timeout(0);
    });
    other.join();
    run_until([&] { return fired == 1 && freed == 1; });
}

TEST_F(EventLoopTest, DetachedItHoldsNothingUpAndAttachedAgainItGoesOn) {
    watch(VIR_EVENT_HANDLE_READABLE);
    timeout(60'000);
    run_for(5ms);
    EventLoop::instance().detach();
    context.restart();
    EXPECT_LT(context.run_for(1s), 10u); // returns, since there is nothing to wait for
    EXPECT_TRUE(context.stopped());
    write();

    EventLoop::instance().attach(context.get_executor());
    on_ready = [this] { read_one(); };
    run_until([&] { return ready.size() == 1; });
}

} // namespace
} // namespace kmatrix::libvirt

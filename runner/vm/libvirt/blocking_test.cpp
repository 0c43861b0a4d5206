// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/blocking.h"

#include <functional>
#include <future>
#include <thread>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

namespace kmatrix::libvirt {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class BlockingTest : public ::testing::Test {
  protected:
    std::optional<int> call(std::function<int()> function, std::chrono::milliseconds limit) {
        std::optional<int> result;
        asio::io_context context;
        const auto caller = [&]() -> asio::awaitable<void> {
            co_await asio::this_coro::throw_if_cancelled(false);
            result = co_await calls.call(std::move(function), limit);
        };
        asio::co_spawn(context, caller,
                       asio::bind_cancellation_slot(cancel.slot(), [](std::exception_ptr failure) {
                           EXPECT_FALSE(failure);
                       }));
        if (cancelled)
            asio::post(context, [this] { cancel.emit(asio::cancellation_type::terminal); });
        context.run();
        return result;
    }

    BlockingCalls calls;
    asio::cancellation_signal cancel;
    bool cancelled = false;
};

TEST_F(BlockingTest, RunsElsewhereAndReturnsTheValue) {
    const auto here = std::this_thread::get_id();
    bool elsewhere = false;
    EXPECT_EQ(call(
                  [&] {
                      elsewhere = std::this_thread::get_id() != here;
                      return 7;
                  },
                  5s),
              7);
    EXPECT_TRUE(elsewhere);
}

TEST_F(BlockingTest, ACallThatHangsIsGivenUp) {
    std::promise<void> released;
    std::promise<void> over;
    const auto hang = [&] {
        released.get_future().wait();
        over.set_value();
        return 7;
    };
    EXPECT_EQ(call(hang, 5ms), std::nullopt);
    // It comes back when nobody waits and the context is gone.
    released.set_value();
    over.get_future().wait();
    EXPECT_EQ(call([] { return 8; }, 5s), 8);
}

TEST_F(BlockingTest, ItCannotBeCancelled) {
    cancelled = true;
    const auto slow = [] {
        std::this_thread::sleep_for(5ms);
        return 7;
    };
    EXPECT_EQ(call(slow, 5s), 7);
}

TEST(Blocking, WhatHangsDoesNotHoldUpTheEnd) {
    const auto forever = std::make_shared<std::promise<void>>();
    {
        BlockingCalls calls;
        calls.start([forever] { forever->get_future().wait(); });
    }
    forever->set_value();
}

} // namespace
} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/clock.h"

#include <chrono>
#include <random>

#include <boost/asio/system_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kmatrix::watch {
namespace asio = boost::asio;

std::int64_t SystemClock::now_s() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

asio::awaitable<void> SystemClock::sleep_until(std::int64_t time_s) {
    // At most an hour at a time: a suspended machine or a clock set anew.
    constexpr std::int64_t longest_s = 3600;
    asio::system_timer timer(co_await asio::this_coro::executor);
    while (now_s() < time_s) {
        timer.expires_after(std::chrono::seconds(std::min(longest_s, time_s - now_s())));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

double SystemClock::chance() {
    static std::minstd_rand random(std::random_device{}());
    return std::uniform_real_distribution<double>(0, 1)(random);
}

} // namespace kmatrix::watch

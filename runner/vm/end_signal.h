// SPDX-License-Identifier: GPL-2.0-only
// A guest's end, said once and waited for. For those who implement Guest.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "runner/vm/vm.h"

namespace kmatrix {

class EndSignal {
  public:
    explicit EndSignal(const boost::asio::any_io_executor& executor) : changed_(executor) {}

    // The first end counts.
    void set(GuestEnd end) {
        if (!end_)
            end_ = std::move(end);
        changed_.cancel();
    }
    const std::optional<GuestEnd>& get() const { return end_; }
    // See Guest::nudge.
    void nudge() { changed_.cancel(); }

    // See Guest::wait_end.
    boost::asio::awaitable<std::optional<GuestEnd>>
    wait(std::chrono::steady_clock::time_point until) {
        if (!end_) {
            changed_.expires_at(until);
            co_await changed_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        }
        co_return end_;
    }

  private:
    boost::asio::steady_timer changed_; // cancelled when `end_` is there
    std::optional<GuestEnd> end_;
};

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The time, as watch sees it; tests have one of their own.
#pragma once

#include <algorithm>
#include <cstdint>

#include <boost/asio/awaitable.hpp>

#include "runner/watch/queue.h"

namespace kmatrix::watch {

class Clock {
  public:
    virtual ~Clock() = default;
    virtual std::int64_t now_s() = 0; // since 1970
    virtual boost::asio::awaitable<void> sleep_until(std::int64_t time_s) = 0;
    virtual double chance() = 0; // from 0 to 1, each time another
};

class SystemClock : public Clock {
  public:
    std::int64_t now_s() override;
    boost::asio::awaitable<void> sleep_until(std::int64_t time_s) override;
    double chance() override;
};

constexpr std::int64_t longest_pause_s = 6 * 3600;

// When an inbox is asked again: after the interval; after failures twice as late each time, up to
// six hours. chance: puts it off by up to a tenth, so that not everybody asks at once.
inline std::int64_t next_poll_s(const Position& position, std::int64_t interval_s, double chance) {
    std::int64_t pause_s = interval_s;
    for (int i = 0; i < position.failures && pause_s < longest_pause_s; ++i)
        pause_s = std::min(2 * pause_s, longest_pause_s);
    return position.polled_s + pause_s +
           static_cast<std::int64_t>(static_cast<double>(pause_s) * chance / 10);
}

} // namespace kmatrix::watch

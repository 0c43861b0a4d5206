// SPDX-License-Identifier: GPL-2.0-only
// Takes what came to an inbox since it was read last, from the remembered commit on and through
// every newer epoch.
#pragma once

#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/watch/clock.h"
#include "runner/watch/config.h"
#include "runner/watch/intake.h"
#include "runner/watch/mirror.h"
#include "runner/watch/queue.h"

namespace kmatrix::watch {

class InboxReader {
  public:
    // say: called with what a person would want to know. All must outlive the reader.
    InboxReader(const WatchConfig& config, Queue& queue, Clock& clock,
                const std::function<void(const std::string&)>& say)
        : config_(config), queue_(queue), clock_(clock), say_(say) {}

    // How many mails were read. What was taken until an Error stays taken.
    boost::asio::awaitable<Result<std::size_t>> read(const InboxConfig& inbox) const;

  private:
    boost::asio::awaitable<Result<Position>> begin(const InboxConfig& inbox, const Mirror& mirror,
                                                   Position position) const;
    boost::asio::awaitable<Result<std::size_t>>
    read_epoch(const InboxConfig& inbox, const Mirror& mirror, Position& position) const;
    Result<void> take(const InboxConfig& inbox, const std::vector<std::string>& mails,
                      const Position& position) const;

    const WatchConfig& config_;
    Queue& queue_;
    Clock& clock_;
    const std::function<void(const std::string&)>& say_;
};

} // namespace kmatrix::watch

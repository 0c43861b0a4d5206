// SPDX-License-Identifier: GPL-2.0-only
// Tests what is queued, one series at a time, each once: what a crash interrupted goes on where it
// was.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/command.h"
#include "base/error.h"
#include "runner/watch/clock.h"
#include "runner/watch/config.h"
#include "runner/watch/queue.h"

namespace kmatrix::watch {

using Say = std::function<void(const std::string&)>;
// How commands are run: kmatrix::run, but in tests.
using Execute = std::function<boost::asio::awaitable<Result<Exit>>(Command)>;

class Worker {
  public:
    // All must outlive it. kmatrix: this program.
    Worker(const WatchConfig& config, Queue& queue, Clock& clock, std::filesystem::path kmatrix,
           const Say& say, const Execute& execute)
        : config_(config), queue_(queue), clock_(clock), kmatrix_(std::move(kmatrix)), say_(say),
          execute_(execute) {}

    // The next step of one series: begin or resume its run, or draft and publish. False: there is
    // nothing to do now. Errors are of the queue's file.
    boost::asio::awaitable<Result<bool>> step();

  private:
    Result<bool> begin(Entry& entry);
    boost::asio::awaitable<Result<bool>> run(Entry entry);
    boost::asio::awaitable<Result<bool>> finish(Entry entry);
    Result<bool> not_tested(Entry entry, const std::string& why, bool again);
    Result<bool> save(Entry& entry, State state);

    const WatchConfig& config_;
    Queue& queue_;
    Clock& clock_;
    std::filesystem::path kmatrix_;
    const Say& say_;
    const Execute& execute_;
};

} // namespace kmatrix::watch

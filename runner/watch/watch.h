// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix watch`: reads inboxes, keeps the queue, tests what is in it. It sends no mail.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/error.h"
#include "base/files.h"
#include "runner/watch/clock.h"
#include "runner/watch/config.h"
#include "runner/watch/queue.h"
#include "runner/watch/worker.h"

namespace kmatrix::watch {

std::filesystem::path queue_file(const WatchConfig& config);

// What is not watch's own, so that tests bring theirs.
struct Surroundings {
    Clock& clock;
    std::filesystem::path kmatrix; // this program
    Say say;
    Execute execute;
};

class Watch {
  public:
    // Errors: another watch has the directory; the queue cannot be read. The config must outlive
    // it.
    static Result<std::unique_ptr<Watch>> open(const WatchConfig& config, Surroundings surroundings,
                                               boost::asio::any_io_executor executor);

    // Polls each inbox that may be polled now, tests what is queued, ends. An Error: an inbox could
    // not be read (after all else was done), or the queue.
    boost::asio::awaitable<Result<void>> once();

    // Until it is cancelled (it throws operation_aborted then), or the queue's file fails.
    boost::asio::awaitable<Result<void>> forever();

  private:
    Watch(const WatchConfig& config, Surroundings surroundings, FileLock lock, Queue queue,
          const boost::asio::any_io_executor& executor);

    boost::asio::awaitable<Result<void>> poll_loop();
    boost::asio::awaitable<Result<void>> work_loop();
    // What was said of each inbox that could not be read goes to `failures`.
    boost::asio::awaitable<Result<void>> poll(const InboxConfig& inbox, std::string& failures);
    Result<void> expire();
    Result<std::int64_t> next_event_s();

    const WatchConfig& config_;
    Surroundings around_;
    FileLock lock_;
    Queue queue_;
    Worker worker_;
    boost::asio::steady_timer work_; // cancelled when there may be work
    std::map<std::string, std::int64_t> due_s_;
};

} // namespace kmatrix::watch

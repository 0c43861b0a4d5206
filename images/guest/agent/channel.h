// SPDX-License-Identifier: GPL-2.0-only
// The way to the host: records are queued and written when the port takes them, so that a host
// that reads slowly, or not at all, never blocks the agent.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "images/guest/agent/files.h"

namespace kmatrix::guest {

class Channel {
  public:
    // A descriptor that does not block: the virtio port, a pipe, or a file.
    explicit Channel(Fd fd) : fd_(std::move(fd)) {}

    int fd() const { return fd_.get(); }
    void send(const std::string& record);
    bool has_unsent() const { return sent_ < queue_.size(); }
    // So much is queued that whoever produces records should wait.
    bool is_full() const { return queue_.size() - sent_ >= full_bytes; }
    // Writes what the port takes now.
    void pump();
    // Pumps until all is written or the time is over; false if something is left.
    bool flush(std::chrono::milliseconds limit);
    // Why nothing can be written any more; empty while it can.
    const std::string& error() const { return error_; }

  private:
    static constexpr std::size_t full_bytes = std::size_t{1} << 20;

    Fd fd_;
    std::string queue_;
    std::size_t sent_ = 0; // bytes at the queue's start that are written
    std::string error_;
};

} // namespace kmatrix::guest

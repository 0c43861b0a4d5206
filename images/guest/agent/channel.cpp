// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/channel.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace kmatrix::guest {

void Channel::send(const std::string& record) {
    if (error_.empty()) {
        queue_ += record;
        pump();
    }
}

void Channel::pump() {
    while (has_unsent() && error_.empty()) {
        const ssize_t wrote = write(fd_.get(), queue_.data() + sent_, queue_.size() - sent_);
        if (wrote > 0) {
            sent_ += static_cast<std::size_t>(wrote);
        } else if (wrote == 0 || errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            error_ = std::string("cannot write to the port: ") + std::strerror(errno);
        }
    }
    // Now and then, because moving the rest to the front costs its length.
    if (sent_ == queue_.size() || sent_ > full_bytes) {
        queue_.erase(0, sent_);
        sent_ = 0;
    }
}

bool Channel::flush(std::chrono::milliseconds limit) {
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    pump();
    while (has_unsent() && error_.empty() && std::chrono::steady_clock::now() < deadline) {
        pollfd waiting{fd_.get(), POLLOUT, 0};
        poll(&waiting, 1, 100);
        if ((waiting.revents & POLLOUT) == 0 && waiting.revents != 0) {
            std::this_thread::sleep_for(20ms); // the host has closed its end: poll does not wait
        }
        pump();
    }
    return !has_unsent();
}

} // namespace kmatrix::guest

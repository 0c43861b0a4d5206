// SPDX-License-Identifier: GPL-2.0-only
// libvirt's event loop (https://libvirt.org/html/libvirt-libvirt-event.html) over an asio executor:
// what libvirt waits for is waited for there, and its callbacks run there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include <boost/asio/any_io_executor.hpp>
#include <libvirt/libvirt.h>

namespace kmatrix::libvirt {

// One for the process, since libvirt can be told of one only. libvirt calls it from any thread.
class EventLoop {
  public:
    // Registered with libvirt at the first call, which must come before the first connection.
    static EventLoop& instance();

    // From now on events happen on this executor, until detach. What libvirt waited for before is
    // taken along. Both are to be called on the executor's own thread, or before it runs.
    void attach(const boost::asio::any_io_executor& executor);
    // Waits for nothing any more, so that the executor's context may run out of work.
    void detach();

  private:
    struct Handle;
    struct Timeout;

    EventLoop() = default;

    // Called by libvirt; see virEventRegisterImpl.
    static int add_handle(int fd, int events, virEventHandleCallback callback, void* opaque,
                          virFreeCallback free);
    static void update_handle(int watch, int events);
    static int remove_handle(int watch);
    static int add_timeout(int interval_ms, virEventTimeoutCallback callback, void* opaque,
                           virFreeCallback free);
    static void update_timeout(int timer, int interval_ms);
    static int remove_timeout(int timer);

    // On the executor, some time after one of the above.
    void soon(void (EventLoop::*what)(int), int id);
    void arm_handle(int watch);
    void arm_timeout(int timer);
    void wait_for(const std::shared_ptr<Handle>& handle, int what);
    void handle_ready(const std::shared_ptr<Handle>& handle);
    void timeout_passed(const std::shared_ptr<Timeout>& timeout, std::uint64_t armed);

    std::mutex mutex_; // of all that follows, and of the entries' fields
    boost::asio::any_io_executor executor_;
    std::uint64_t attached_ = 0; // counts attach and detach, so that what was sent before is void
    int last_id_ = 0;
    std::map<int, std::shared_ptr<Handle>> handles_;
    std::map<int, std::shared_ptr<Timeout>> timeouts_;
};

} // namespace kmatrix::libvirt

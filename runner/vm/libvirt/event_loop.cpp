// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/event_loop.h"

#include <array>
#include <chrono>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kmatrix::libvirt {
namespace asio = boost::asio;
using boost::system::error_code;
using Wait = asio::posix::stream_descriptor::wait_type;

struct EventLoop::Handle {
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        stop();
        if (own_fd >= 0)
            ::close(own_fd);
    }
    void stop() {
        if (descriptor)
            descriptor->release();
        descriptor.reset();
        waiting = {};
    }

    int id = 0;
    int fd = -1; // libvirt's
    // A duplicate: libvirt closes its own as soon as it has told us to stop, while the reactor may
    // still hold it.
    int own_fd = -1;
    int events = 0; // VIR_EVENT_HANDLE_*
    virEventHandleCallback callback = nullptr;
    void* opaque = nullptr;
    virFreeCallback free = nullptr;
    bool removed = false;
    std::optional<asio::posix::stream_descriptor> descriptor; // while attached
    std::array<bool, 3> waiting{};                            // by wait_type
};

struct EventLoop::Timeout {
    int id = 0;
    int interval_ms = -1; // -1: disabled
    virEventTimeoutCallback callback = nullptr;
    void* opaque = nullptr;
    virFreeCallback free = nullptr;
    bool removed = false;
    std::optional<asio::steady_timer> timer; // while attached
    std::uint64_t armed = 0;                 // counts; an expiry of an earlier arming is void
};

namespace {

short poll_events(int events) {
    short result = 0;
    if (events & VIR_EVENT_HANDLE_READABLE)
        result |= POLLIN;
    if (events & VIR_EVENT_HANDLE_WRITABLE)
        result |= POLLOUT;
    return result;
}

// What is true of the descriptor now, as libvirt says it.
int ready_events(int fd, int wanted) {
    pollfd state{fd, poll_events(wanted), 0};
    if (::poll(&state, 1, 0) <= 0)
        return 0;
    int result = 0;
    if (state.revents & POLLIN)
        result |= VIR_EVENT_HANDLE_READABLE;
    if (state.revents & POLLOUT)
        result |= VIR_EVENT_HANDLE_WRITABLE;
    if (state.revents & POLLERR)
        result |= VIR_EVENT_HANDLE_ERROR;
    if (state.revents & POLLHUP)
        result |= VIR_EVENT_HANDLE_HANGUP;
    return result;
}

} // namespace

EventLoop& EventLoop::instance() {
    static EventLoop* const loop = [] {
        virEventRegisterImpl(add_handle, update_handle, remove_handle, add_timeout, update_timeout,
                             remove_timeout);
        // Never destroyed: libvirt's threads may call at any time until the process is gone.
        return new EventLoop;
    }();
    return *loop;
}

void EventLoop::attach(const asio::any_io_executor& executor) {
    const std::lock_guard lock(mutex_);
    executor_ = executor;
    ++attached_;
    for (const auto& [id, handle] : handles_)
        asio::post(executor_, [this, id = id] { arm_handle(id); });
    for (const auto& [id, timeout] : timeouts_)
        asio::post(executor_, [this, id = id] { arm_timeout(id); });
}

void EventLoop::detach() {
    const std::lock_guard lock(mutex_);
    executor_ = {};
    ++attached_;
    for (const auto& [id, handle] : handles_) {
        handle->stop();
    }
    for (const auto& [id, timeout] : timeouts_)
        timeout->timer.reset();
}

void EventLoop::soon(void (EventLoop::*what)(int), int id) {
    if (executor_)
        asio::post(executor_, [this, what, id] { (this->*what)(id); });
}

int EventLoop::add_handle(int fd, int events, virEventHandleCallback callback, void* opaque,
                          virFreeCallback free) {
    EventLoop& loop = instance();
    auto handle = std::make_shared<Handle>();
    handle->fd = fd;
    handle->own_fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (handle->own_fd < 0)
        return -1;
    handle->events = events;
    handle->callback = callback;
    handle->opaque = opaque;
    handle->free = free;
    const std::lock_guard lock(loop.mutex_);
    handle->id = ++loop.last_id_;
    loop.handles_[handle->id] = handle;
    loop.soon(&EventLoop::arm_handle, handle->id);
    return handle->id;
}

void EventLoop::update_handle(int watch, int events) {
    EventLoop& loop = instance();
    const std::lock_guard lock(loop.mutex_);
    const auto found = loop.handles_.find(watch);
    if (found == loop.handles_.end())
        return;
    found->second->events = events;
    loop.soon(&EventLoop::arm_handle, watch);
}

int EventLoop::remove_handle(int watch) {
    EventLoop& loop = instance();
    const std::lock_guard lock(loop.mutex_);
    const auto found = loop.handles_.find(watch);
    if (found == loop.handles_.end() || found->second->removed)
        return -1;
    found->second->removed = true;
    loop.soon(&EventLoop::arm_handle, watch);
    return 0;
}

int EventLoop::add_timeout(int interval_ms, virEventTimeoutCallback callback, void* opaque,
                           virFreeCallback free) {
    EventLoop& loop = instance();
    auto timeout = std::make_shared<Timeout>();
    timeout->interval_ms = interval_ms;
    timeout->callback = callback;
    timeout->opaque = opaque;
    timeout->free = free;
    const std::lock_guard lock(loop.mutex_);
    timeout->id = ++loop.last_id_;
    loop.timeouts_[timeout->id] = timeout;
    loop.soon(&EventLoop::arm_timeout, timeout->id);
    return timeout->id;
}

void EventLoop::update_timeout(int timer, int interval_ms) {
    EventLoop& loop = instance();
    const std::lock_guard lock(loop.mutex_);
    const auto found = loop.timeouts_.find(timer);
    if (found == loop.timeouts_.end())
        return;
    found->second->interval_ms = interval_ms;
    loop.soon(&EventLoop::arm_timeout, timer);
}

int EventLoop::remove_timeout(int timer) {
    EventLoop& loop = instance();
    const std::lock_guard lock(loop.mutex_);
    const auto found = loop.timeouts_.find(timer);
    if (found == loop.timeouts_.end() || found->second->removed)
        return -1;
    found->second->removed = true;
    loop.soon(&EventLoop::arm_timeout, timer);
    return 0;
}

void EventLoop::arm_handle(int watch) {
    std::unique_lock lock(mutex_);
    const auto found = handles_.find(watch);
    if (found == handles_.end() || !executor_)
        return;
    const std::shared_ptr<Handle> handle = found->second;
    if (handle->removed) {
        handles_.erase(found);
        handle->stop();
        lock.unlock(); // what is freed may call libvirt, and that us
        if (handle->free)
            handle->free(handle->opaque);
        return;
    }
    if (handle->events == 0)
        return;
    if (!handle->descriptor)
        handle->descriptor.emplace(executor_, handle->own_fd);
    // Errors and the end of a peer wake either of the two; only without them they have a wait of
    // their own.
    if (handle->events & VIR_EVENT_HANDLE_READABLE)
        wait_for(handle, Wait::wait_read);
    if (handle->events & VIR_EVENT_HANDLE_WRITABLE)
        wait_for(handle, Wait::wait_write);
    if (poll_events(handle->events) == 0)
        wait_for(handle, Wait::wait_error);
}

void EventLoop::wait_for(const std::shared_ptr<Handle>& handle, int what) {
    bool& waiting = handle->waiting.at(static_cast<std::size_t>(what));
    if (waiting)
        return;
    waiting = true;
    handle->descriptor->async_wait(
        static_cast<Wait>(what), [this, handle, what, attached = attached_](error_code error) {
            {
                const std::lock_guard lock(mutex_);
                if (attached != attached_)
                    return;
                handle->waiting.at(static_cast<std::size_t>(what)) = false;
            }
            if (!error)
                handle_ready(handle);
        });
}

void EventLoop::handle_ready(const std::shared_ptr<Handle>& handle) {
    int ready = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!handle->removed && handle->events != 0)
            ready = ready_events(handle->own_fd, handle->events);
    }
    if (ready != 0)
        handle->callback(handle->id, handle->fd, ready, handle->opaque);
    arm_handle(handle->id);
}

void EventLoop::arm_timeout(int timer) {
    std::unique_lock lock(mutex_);
    const auto found = timeouts_.find(timer);
    if (found == timeouts_.end() || !executor_)
        return;
    const std::shared_ptr<Timeout> timeout = found->second;
    const std::uint64_t armed = ++timeout->armed;
    timeout->timer.reset();
    if (timeout->removed) {
        timeouts_.erase(found);
        lock.unlock();
        if (timeout->free)
            timeout->free(timeout->opaque);
        return;
    }
    if (timeout->interval_ms < 0)
        return;
    timeout->timer.emplace(executor_, std::chrono::milliseconds(timeout->interval_ms));
    timeout->timer->async_wait([this, timeout, armed](error_code error) {
        if (!error)
            timeout_passed(timeout, armed);
    });
}

void EventLoop::timeout_passed(const std::shared_ptr<Timeout>& timeout, std::uint64_t armed) {
    {
        const std::lock_guard lock(mutex_);
        if (timeout->removed || timeout->armed != armed || timeout->interval_ms < 0)
            return;
    }
    timeout->callback(timeout->id, timeout->opaque);
    arm_timeout(timeout->id);
}

} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
// Calls of libvirt that block, on threads of their own, so that the event loop goes on: deadlines
// pass, and Ctrl-C works, even if libvirt hangs.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kmatrix::libvirt {

class BlockingCalls {
  public:
    BlockingCalls() = default;
    BlockingCalls(const BlockingCalls&) = delete;
    BlockingCalls& operator=(const BlockingCalls&) = delete;
    // Waits for no call that hangs: its thread is left behind.
    ~BlockingCalls() {
        if (*running_ > 0) [[maybe_unused]]
            auto* left_behind = pool_.release();
    }

    // Calls the function some time, for nobody to hear of it.
    template <class Function>
    void start(Function function) {
        ++*running_;
        boost::asio::post(*pool_, [running = running_, function = std::move(function)]() mutable {
            function();
            --*running;
        });
    }

    // What the function returns, or nothing if it takes longer than that; it then runs on, with
    // nobody to hear its result. Cannot be cancelled. The coroutine must not be one that throws
    // when it is cancelled (this_coro::throw_if_cancelled). The function must be a variable that is
    // moved here: g++ 12 destroys a lambda written inside a co_await expression twice.
    template <class Function>
    boost::asio::awaitable<std::optional<std::invoke_result_t<Function>>>
    call(Function function, std::chrono::steady_clock::duration limit) {
        using Value = std::invoke_result_t<Function>;
        const auto executor = co_await boost::asio::this_coro::executor;
        const auto until = std::chrono::steady_clock::now() + limit;
        boost::asio::steady_timer returned(executor, until);
        const auto caller = std::make_shared<Caller<Value>>(&returned);
        const Leaving<Value> leaving{caller};
        ++*running_;
        boost::asio::post(*pool_, [caller, executor, running = running_,
                                   function = std::move(function)]() mutable {
            Value value = function();
            --*running;
            const std::lock_guard lock(caller->mutex);
            if (!caller->returned) // nobody waits, and the executor's context may be gone
                return;
            caller->value = std::move(value);
            boost::asio::post(executor, [caller] {
                if (caller->returned)
                    caller->returned->cancel();
            });
        });
        while (!caller->has_value() && std::chrono::steady_clock::now() < until)
            co_await returned.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        const std::lock_guard lock(caller->mutex);
        co_return std::move(caller->value);
    }

  private:
    // Who waits for a value, as long as it does.
    template <class Value>
    struct Caller {
        explicit Caller(boost::asio::steady_timer* timer) : returned(timer) {}
        bool has_value() {
            const std::lock_guard lock(mutex);
            return value.has_value();
        }
        std::mutex mutex;
        boost::asio::steady_timer* returned; // cancelled when there is a value
        std::optional<Value> value;
    };
    template <class Value>
    struct Leaving {
        std::shared_ptr<Caller<Value>> caller;
        ~Leaving() {
            const std::lock_guard lock(caller->mutex);
            caller->returned = nullptr;
        }
    };

    std::shared_ptr<std::atomic<int>> running_ = std::make_shared<std::atomic<int>>(0);
    std::unique_ptr<boost::asio::thread_pool> pool_ = std::make_unique<boost::asio::thread_pool>(4);
};

} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
// Work that blocks (walking ninety thousand files), kept off the event loop.
#pragma once

#include <type_traits>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kmatrix {

boost::asio::thread_pool& worker_pool();

// Calls the function on another thread, and resumes the caller on its own with what it returned.
// Give it a lambda that has a name: g++ 12 destroys a temporary one twice in a co_await.
template <class Function>
boost::asio::awaitable<std::invoke_result_t<Function>> on_worker(Function function) {
    using Value = std::invoke_result_t<Function>;
    auto body = [function = std::move(function)]() mutable -> boost::asio::awaitable<Value> {
        co_return function();
    };
    co_return co_await boost::asio::co_spawn(worker_pool(), std::move(body),
                                             boost::asio::use_awaitable);
}

} // namespace kmatrix

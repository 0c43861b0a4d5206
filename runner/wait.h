// SPDX-License-Identifier: GPL-2.0-only
// From a coroutine to its value, for the command line.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace kmatrix {

// Runs the context until the coroutine has returned, and all else on it is done. Throws what the
// coroutine throws.
template <class T>
T wait_for(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
    std::optional<T> value;
    std::exception_ptr failure;
    boost::asio::co_spawn(context, std::move(work), [&](std::exception_ptr thrown, T result) {
        failure = thrown;
        value.emplace(std::move(result));
    });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    return std::move(*value);
}

} // namespace kmatrix

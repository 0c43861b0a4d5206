// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cache/worker.h"

namespace kmatrix {

boost::asio::thread_pool& worker_pool() {
    static boost::asio::thread_pool pool(2);
    return pool;
}

} // namespace kmatrix

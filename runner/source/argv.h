// SPDX-License-Identifier: GPL-2.0-only
// A command's words, written down in a coroutine.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kmatrix {

// argv("git", "status"): what {"git", "status"} would be, which g++ 12 cannot compile in an
// expression that is co_awaited (it says "array used as initializer").
template <class... Words>
std::vector<std::string> argv(Words&&... words) {
    std::vector<std::string> all;
    all.reserve(sizeof...(words));
    (all.emplace_back(std::forward<Words>(words)), ...);
    return all;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// How much of a series is read before it is refused, whatever form it comes in.
#pragma once

#include <cstddef>

namespace kmatrix {

constexpr std::size_t largest_series_bytes = 64u << 20; // of all of its mails, unpacked
constexpr std::size_t most_mails = 2000;                // of a thread, answers counted
constexpr std::size_t most_patches = 1000;

} // namespace kmatrix

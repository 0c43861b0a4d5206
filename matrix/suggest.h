// SPDX-License-Identifier: GPL-2.0-only
// What somebody who mistyped a word most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

// The candidate nearest to the word by edit distance (insert, delete, replace, swap of neighbours:
// optimal string alignment); empty if none is near: at most one edit for each three letters.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// `; did you mean "nearest"?`, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

} // namespace kmatrix

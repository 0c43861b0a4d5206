// SPDX-License-Identifier: GPL-2.0-only
// What the scripts for gnuplot have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

inline constexpr int picture_width = 480; // CSS pixels

// Size in CSS pixels; the text is 13 pixels high.
std::string script_head(int width, int height);

// A named block of data: `name`, beginning with '$', and its lines.
std::string data_block(std::string_view name, const std::vector<std::string>& lines);

// Puts the words for emulation behind an axis's label where they belong, so that a picture that is
// taken out of its page says so too.
std::string label(std::string_view text, bool emulated);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Sentences broken into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kmatrix {

inline constexpr std::size_t text_width = 78; // columns of a text report

// Columns that a line of UTF-8 takes, a character each.
std::size_t columns(std::string_view text);

// As much of the text as fits into so many columns.
std::string first_columns(std::string_view text, std::size_t count);

// Breaks a sentence at spaces into lines of at most `width` columns, where its words allow that;
// its own indentation stays, and later lines get `indent`. Ends with a newline.
std::string wrapped(std::string_view sentence, std::string_view indent,
                    std::size_t width = text_width);

// One line of it: control characters and runs of space become one space.
std::string one_line(std::string_view text);

} // namespace kmatrix

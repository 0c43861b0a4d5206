// SPDX-License-Identifier: GPL-2.0-only
// Where the content of a line stands: console prefixes, indentation and "# " taken off its front.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace kmatrix::ktap {

// In columns: a space is 1, "# " is 2, a tab is 8. Only their order matters: what stands further
// right is inside what stands further left.
struct Position {
    std::size_t column = 0;          // of the content
    std::optional<std::size_t> hash; // of the last "# " before it
};

struct Line {
    Position at;
    std::string_view content; // trimmed at the end
};

// `before` is the position of what a terminal would have overwritten: the part of the same line up
// to a carriage return. A part without a "# " of its own continues inside that one's.
Line place(std::string_view text, const std::optional<Position>& before = {});

// Length of what a console or its logger put in front: "<6>", "[   12.345678]", "[    T1]",
// "2025-01-31T10:20:30.123Z"; and one space after them. 0 if there is nothing of the kind.
std::size_t console_prefix(std::string_view text);

// Where in the text printk's time stamp ("[   12.345678]") begins a new line that its console glued
// to the one before; npos if nowhere. One at the very start is not counted.
std::size_t inner_stamp(std::string_view text);

} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
// The small language in which the rules say what a line looks like. Matching takes time linear in
// the text: nothing is tried twice.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "results/console/frame.h"

namespace kmatrix {

// What a pattern picked out of the text, in order.
struct Captures {
    std::vector<std::string_view> texts; // of %w and %t: $1, $2, ... of a title
    std::vector<Symbol> functions;       // of %f
};

// Literal characters stand for themselves, and
//   %d  decimal digits                       %x  a hexadecimal number, "0x" or not, or "(ptrval)"
//   %w  characters other than blanks, up to the last one that what follows allows; captured
//   %f  a function, perhaps with offset and module; captured
//   %t  as little as possible, up to what follows, or to the end; captured, trimmed
//   %_  the same, not captured
// The pattern must match at the start of the text; the text may go on.
std::optional<Captures> match_pattern(std::string_view pattern, std::string_view text);

} // namespace kmatrix

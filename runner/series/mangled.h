// SPDX-License-Identifier: GPL-2.0-only
// Patches that a mail program or a hand has broken.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kmatrix {

// Where a diff does not keep to its own line counts, as a sentence's end: "line 12 of its diff
// (a/f) begins with no ' ', '+' or '-': a mail program wrapped it". Nothing: it is whole. git would
// refuse some of these with a line number alone, and pass over lines that are too many without a
// word.
std::optional<std::string> damage(std::string_view diff);

} // namespace kmatrix

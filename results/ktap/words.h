// SPDX-License-Identifier: GPL-2.0-only
// What the lines are made of: characters, numbers, directives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

namespace kmatrix::ktap {

inline bool is_space(char c) {
    return c == ' ' || c == '\t';
}

inline bool is_failure(std::string_view status) {
    return status == "fail" || status == "timeout" || status == "error";
}

std::string upper(std::string_view text);

// Positions behind the spaces, or the digits, that begin at `at`.
std::size_t skip_spaces(std::string_view text, std::size_t at = 0);
std::size_t skip_digits(std::string_view text, std::size_t at);

// Takes digits off the front; a number too large for its type is the largest.
std::optional<std::uint64_t> take_number(std::string_view& text);
bool take(std::string_view& text, std::string_view prefix);

// Begins the names of the kselftest runner.
inline constexpr std::string_view runner_word = "selftests: ";
// Length of "TARGET: TEST" at the front of the text; else of its first word (older runners
// wrote no target).
std::size_t runner_name(std::string_view text);

// How sure it is that the word behind a '#' is meant as a directive.
enum class Form { spaced, tight, runner };

// The status that a directive gives, or nothing if the word is none. TAP takes any case and any
// word that begins with SKIP; lowercase words on an ok line are only taken where TAP itself would,
// since "ok 3 poll # timeout 5 ms" and "ok 4 read # error expected" are notes on a pass.
std::optional<std::string_view> directive(std::string_view word, bool ok, Form form);

struct Word {
    std::string_view text;
    std::size_t end = 0; // in what it was read from, behind it and what belongs to it
};
// The word at `at`, spaces before it skipped: "SKIP", "[SKIP]", "SKIP:", "SKIP -".
Word word_at(std::string_view text, std::size_t at);

} // namespace kmatrix::ktap

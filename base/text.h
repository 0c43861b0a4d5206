// SPDX-License-Identifier: GPL-2.0-only
// Small pure functions on text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

// Of ASCII, whatever the locale.
inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
std::string lower(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string first_line(std::string_view text);
// The last `count` lines of a text.
std::string last_lines(std::string_view text, std::size_t count);
// Valid UTF-8 without control characters other than tab and newline: bad bytes become U+FFFD,
// ANSI escape sequences vanish. What may be shown on a terminal, in XML and in JSON.
std::string printable(std::string_view bytes);
// SHA-256 of the bytes, 64 hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);
// Base64 with padding, in one line (RFC 4648, section 4).
std::string base64(std::string_view bytes);
// "8.7 s", "3 min 38 s", "1 h 05 min".
std::string duration_text(double seconds);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "base/text.h"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace kmatrix {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

// Length of the well-formed UTF-8 sequence at the start, 0 if there is none (Unicode, table 3-7).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto continuation = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continuation(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return continuation(1) && continuation(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool too_large = first == 0xF4 && byte(1) > 0x8F;
        return continuation(1) && continuation(2) && continuation(3) && !overlong && !too_large ? 4
                                                                                                : 0;
    }
    return 0;
}

// How much of it, from the start, printable() leaves as it is whatever follows: nearly all of a
// log.
std::size_t plain_length(std::string_view text) {
    constexpr auto plain = [] {
        std::array<bool, 256> table{};
        for (std::size_t c = 0x20; c < 0x7F; ++c)
            table[c] = true;
        table['\n'] = table['\t'] = true;
        return table;
    }();
    std::size_t length = 0;
    while (length < text.size() && plain[static_cast<unsigned char>(text[length])])
        ++length;
    return length;
}

// Length of the ANSI escape sequence at the start (ECMA-48), which begins with ESC.
std::size_t escape_length(std::string_view text) {
    if (text.size() < 2)
        return 1;
    if (text[1] == '[') {
        std::size_t i = 2;
        while (i < text.size() && text[i] >= 0x20 && text[i] <= 0x3F)
            ++i;
        return i < text.size() && text[i] >= 0x40 && text[i] <= 0x7E ? i + 1 : i;
    }
    if (text[1] == ']') {
        // operating system command, up to BEL or ST; the line's end or another ESC shows it torn
        for (std::size_t i = 2; i < text.size() && text[i] != '\n'; ++i) {
            if (text[i] == '\a')
                return i + 1;
            if (text[i] == '\x1b')
                return i + 1 < text.size() && text[i + 1] == '\\' ? i + 2 : 2;
        }
        return 2;
    }
    return text[1] >= 0x20 && text[1] <= 0x7E ? 2 : 1;
}

} // namespace

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string first_line(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view space = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string last_lines(std::string_view text, std::size_t count) {
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    std::size_t at = text.size();
    for (std::size_t lines = 0; lines < count; ++lines) {
        const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
        if (newline == std::string_view::npos)
            return std::string(text);
        at = newline;
    }
    return count == 0 ? std::string() : std::string(text.substr(at + 1));
}

std::string printable(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (;;) {
        const std::size_t plain = plain_length(bytes);
        text += bytes.substr(0, plain);
        bytes.remove_prefix(plain);
        if (bytes.empty())
            return text;
        const char c = bytes.front();
        if (c == '\x1b') {
            bytes.remove_prefix(escape_length(bytes));
            continue;
        }
        const std::size_t length = utf8_length(bytes);
        const std::string_view sequence = bytes.substr(0, length);
        const bool c1 =
            length == 2 && sequence[0] == '\xC2' && static_cast<unsigned char>(sequence[1]) < 0xA0;
        const bool nonchar = sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
        // A single byte here is a control character.
        if (length == 0)
            text += replacement;
        else if (length > 1 && !c1)
            text += nonchar ? replacement : sequence;
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
}

std::string sha256(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::string text;
    for (unsigned int i = 0; i < size; ++i)
        text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string base64(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // OpenSSL ends it with a NUL
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                       reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string duration_text(double seconds) {
    if (seconds < 59.95)
        return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    const std::int64_t minutes = (whole + 30) / 60;
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

} // namespace kmatrix

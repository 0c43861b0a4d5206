// SPDX-License-Identifier: GPL-2.0-only
#include "base/text.h"
#include "results/console/describe.h"

namespace kmatrix {

namespace {

bool is_lower_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

template <class Belongs>
std::size_t run(std::string_view text, std::size_t at, Belongs belongs) {
    while (at < text.size() && belongs(text[at])) {
        ++at;
    }
    return at;
}

// "+0x1a/0x40" after a function: the length, or 0.
std::size_t offset_at(std::string_view text, std::size_t at) {
    if (text.substr(at, 3) != "+0x") {
        return 0;
    }
    std::size_t end = run(text, at + 3, is_lower_hex);
    if (text.substr(end, 3) == "/0x") {
        end = run(text, end + 3, is_lower_hex);
    }
    return end - at;
}

} // namespace

std::string stable_text(std::string_view raw) {
    const std::string text = printable(raw);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const char before = out.empty() ? ' ' : out.back();
        if (text[i] == '\n' || text[i] == '\t') {
            out.push_back(' ');
            ++i;
        } else if (const auto offset = offset_at(text, i); offset > 0) {
            i += offset;
        } else if (text.compare(i, 9, "exitcode=") == 0) { // is no address, and says why
            const auto end =
                run(text, i + 9, [](char c) { return is_digit(c) || is_name_letter(c); });
            out.append(text, i, end - i);
            i = end;
        } else if (text.compare(i, 2, "0x") == 0 && !is_name_letter(before) && !is_digit(before)) {
            i = run(text, i + 2, is_lower_hex);
            out += "ADDR";
        } else if (text.compare(i, 9, "(ptrval)") == 0) {
            i += 8;
            out += "ADDR";
        } else if (is_lower_hex(text[i]) && !is_name_letter(before) && !is_digit(before)) {
            const auto end = run(text, i, is_lower_hex);
            const auto digits = run(text, i, is_digit);
            const bool word = end < text.size() && is_name_letter(text[end]);
            if (!word && end - i >= 8) {
                out += "ADDR";
                i = end;
            } else if (digits > i && digits == end && !word) {
                // ":123" after a file is a line, and lines move; "kmalloc-64" is a name
                if (before == ':') {
                    out.pop_back();
                } else if (before == '-' && out.size() > 1 && is_name_letter(out[out.size() - 2])) {
                    out.append(text, i, end - i);
                } else {
                    out.push_back('N');
                }
                i = end;
            } else {
                out.append(text, i, end - i);
                i = end;
            }
        } else {
            out.push_back(text[i++]);
        }
    }
    return std::string(trim(out));
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/pattern.h"

#include "base/text.h"

namespace kmatrix {

namespace {

template <class Belongs>
std::size_t run(std::string_view text, Belongs belongs) {
    std::size_t length = 0;
    while (length < text.size() && belongs(text[length])) {
        ++length;
    }
    return length;
}

std::size_t hex_length(std::string_view text) {
    if (text.starts_with("(")) {
        const auto close = text.find(')');
        return text.find("ptrval") < close || text.find("null") < close ? close + 1 : 0;
    }
    const std::size_t prefix = text.starts_with("0x") ? 2 : 0;
    const std::size_t digits = run(text.substr(prefix), is_hex);
    return digits == 0 ? 0 : prefix + digits;
}

// The literal that a pattern starts with.
std::string_view literal(std::string_view pattern) {
    return pattern.substr(0, pattern.find('%'));
}

// How many bytes of the text a directive takes, or npos.
std::size_t directive(char kind, std::string_view rest_of_pattern, std::string_view text,
                      Captures& captures) {
    const auto next = literal(rest_of_pattern);
    switch (kind) {
    case 'd': {
        const auto length = run(text, is_digit);
        return length == 0 ? std::string_view::npos : length;
    }
    case 'x': {
        const auto length = hex_length(text);
        return length == 0 ? std::string_view::npos : length;
    }
    case 'w': {
        auto length = run(text, [](char c) { return c != ' ' && c != '\t'; });
        if (!next.empty() && next[0] != ' ') {
            const auto last = text.substr(0, length).rfind(next[0]);
            length = last == std::string_view::npos ? length : last;
        }
        if (length == 0) {
            return std::string_view::npos;
        }
        captures.texts.push_back(text.substr(0, length));
        return length;
    }
    case 'f': {
        const auto symbol = parse_symbol(text);
        if (!symbol) {
            return std::string_view::npos;
        }
        captures.functions.push_back(*symbol);
        return symbol->length;
    }
    case 't':
    case '_': {
        const auto end = next.empty() ? text.size() : text.find(next);
        if (end == std::string_view::npos) {
            return end;
        }
        if (kind == 't') {
            captures.texts.push_back(trim(text.substr(0, end)));
        }
        return end;
    }
    default:
        return std::string_view::npos;
    }
}

} // namespace

std::optional<Captures> match_pattern(std::string_view pattern, std::string_view text) {
    Captures captures;
    while (!pattern.empty()) {
        const auto fixed = literal(pattern);
        if (!text.starts_with(fixed)) {
            return std::nullopt;
        }
        text.remove_prefix(fixed.size());
        pattern.remove_prefix(fixed.size());
        if (pattern.size() < 2) {
            break;
        }
        const char kind = pattern[1];
        pattern.remove_prefix(2);
        const auto length = directive(kind, pattern, text, captures);
        if (length == std::string_view::npos) {
            return std::nullopt;
        }
        text.remove_prefix(length);
    }
    return captures;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/line.h"

#include "results/ktap/words.h"

namespace kmatrix::ktap {
namespace {

constexpr std::size_t tab_columns = 8;
constexpr std::size_t hash_columns = 2;

// Steps over a pattern, character by character; `good` is lost at the first that does not fit.
struct Reader {
    std::string_view text;
    std::size_t at = 0;
    bool good = true;

    char peek() const { return at < text.size() ? text[at] : '\0'; }
    bool take(char c) {
        if (peek() != c || at >= text.size())
            return false;
        ++at;
        return true;
    }
    void need(char c) { good = good && take(c); }
    void spaces() {
        while (peek() == ' ')
            ++at;
    }
    void digits(std::size_t least, std::size_t most) {
        std::size_t n = 0;
        while (is_digit(peek()) && n < most) {
            ++at;
            ++n;
        }
        good = good && n >= least;
    }
    std::size_t length() const { return good ? at : 0; }
};

// "<6>", "<14>"
std::size_t level(std::string_view text) {
    Reader r{text};
    r.need('<');
    r.digits(1, 3);
    r.need('>');
    return r.length();
}

// "[   12.345678]", "[   12.345678@3]"
std::size_t stamp(std::string_view text) {
    Reader r{text};
    r.need('[');
    r.spaces();
    r.digits(1, 12);
    r.need('.');
    r.digits(3, 9);
    if (r.take('@'))
        r.digits(1, 5);
    r.need(']');
    return r.length();
}

// CONFIG_PRINTK_CALLER: "[    T1]", "[   C12]"
std::size_t caller(std::string_view text) {
    Reader r{text};
    r.need('[');
    r.spaces();
    if (!r.take('T'))
        r.need('C');
    r.digits(1, 10);
    r.need(']');
    return r.length();
}

// "2025-01-31 10:20:30", with "T" between, with parts of a second, with a zone
std::size_t date(std::string_view text) {
    Reader r{text};
    r.digits(4, 4);
    r.need('-');
    r.digits(2, 2);
    r.need('-');
    r.digits(2, 2);
    if (!r.take('T'))
        r.need(' ');
    r.digits(2, 2);
    r.need(':');
    r.digits(2, 2);
    r.need(':');
    r.digits(2, 2);
    if (r.good && (r.take('.') || r.take(',')))
        r.digits(1, 9);
    if (r.good && !r.take('Z') && (r.peek() == '+' || r.peek() == '-')) {
        ++r.at;
        r.digits(2, 2);
        r.take(':');
        r.digits(2, 2);
    }
    if (r.at < text.size() && r.peek() != ' ')
        r.good = false;
    return r.length();
}

} // namespace

std::size_t console_prefix(std::string_view text) {
    if (text.empty() || !(text[0] == '<' || text[0] == '[' || is_digit(text[0])))
        return 0;
    std::size_t at = 0;
    for (;;) {
        const std::string_view rest = text.substr(at);
        std::size_t length = level(rest);
        if (length == 0)
            length = stamp(rest);
        if (length == 0)
            length = caller(rest);
        if (length == 0)
            length = date(rest);
        if (length == 0)
            break;
        at += length;
        // "[   12.3] [T1] ": one space between them belongs to neither
        const std::string_view next = text.substr(at);
        if (next.size() > 1 && next[0] == ' ' && (stamp(next.substr(1)) || caller(next.substr(1))))
            ++at;
    }
    if (at > 0 && at < text.size() && text[at] == ' ')
        ++at;
    return at;
}

std::size_t inner_stamp(std::string_view text) {
    for (std::size_t at = text.find('[', 1); at != std::string_view::npos;
         at = text.find('[', at + 1)) {
        Reader r{text.substr(at)};
        r.need('[');
        r.spaces();
        r.digits(1, 12);
        r.need('.');
        r.digits(6, 6); // what printk writes; "[ 1.5 ]" in a test's own words is none
        r.need(']');
        if (r.good)
            return at;
    }
    return std::string_view::npos;
}

Line place(std::string_view text, const std::optional<Position>& before) {
    Line line;
    text.remove_prefix(console_prefix(text));
    if (before && before->hash && !text.starts_with('#')) {
        line.at.hash = before->hash;
        line.at.column = *before->hash + hash_columns;
    }
    while (!text.empty()) {
        if (text[0] == ' ') {
            ++line.at.column;
            text.remove_prefix(1);
        } else if (text[0] == '\t') {
            line.at.column += tab_columns;
            text.remove_prefix(1);
        } else if (text[0] == '#' && (text.size() == 1 || text[1] == ' ' || text[1] == '\t')) {
            line.at.hash = line.at.column;
            line.at.column += hash_columns;
            text.remove_prefix(text.size() > 1 && text[1] == ' ' ? 2 : 1);
            text.remove_prefix(console_prefix(text));
        } else {
            break;
        }
    }
    const std::size_t end = text.find_last_not_of(" \t");
    line.content = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    return line;
}

} // namespace kmatrix::ktap

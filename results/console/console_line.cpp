// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/console_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace kmatrix {

namespace {

constexpr std::size_t longest_line = 4096;
constexpr std::size_t longest_shown = 400;

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

struct Stamp {
    std::size_t begin = 0; // of "[   12.345678]"
    std::size_t end = 0;   // one past all that belongs to it, the caller too
    double time_s = 0;
    std::string context;
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) {
        ++at;
    }
    return at;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) {
        ++at;
    }
    return at;
}

// "[ T12]", "[ C3]", or a vendor's own "[2:kworker/2:1: 1608]"; returns one past it, or `at`.
std::size_t read_caller(std::string_view text, std::size_t at, std::string& context) {
    const std::size_t open = skip_blanks(text, at);
    if (open >= text.size() || text[open] != '[') {
        return at;
    }
    const std::size_t first = skip_blanks(text, open + 1);
    if (first < text.size() && (text[first] == 'T' || text[first] == 'C')) {
        const std::size_t digits = skip_digits(text, first + 1);
        const std::size_t close = skip_blanks(text, digits);
        if (digits > first + 1 && close < text.size() && text[close] == ']') {
            context = text.substr(first, digits - first);
            return close + 1;
        }
        return at;
    }
    const std::size_t cpu = skip_digits(text, first);
    if (cpu == first || cpu >= text.size() || text[cpu] != ':') {
        return at;
    }
    const std::size_t close = text.substr(0, std::min(text.size(), cpu + 40)).find(']', cpu);
    if (close == std::string_view::npos) {
        return at;
    }
    std::size_t pid = close;
    while (pid > cpu && is_digit(text[pid - 1])) {
        --pid;
    }
    if (pid == close || (text[pid - 1] != ' ' && text[pid - 1] != ':')) {
        return at;
    }
    context = "T";
    context += text.substr(pid, close - pid);
    return close + 1;
}

// "<4>", or "kern  :warn  : " of dmesg -x.
std::string_view without_level(std::string_view text) {
    if (text.size() > 2 && text[0] == '<') {
        const std::size_t digits = skip_digits(text, 1);
        if (digits > 1 && digits < text.size() && text[digits] == '>') {
            return text.substr(digits + 1);
        }
    }
    if (text.starts_with("kern ")) {
        const std::size_t facility = text.find(':');
        const std::size_t level = text.find(':', facility + 1);
        if (facility < 10 && level < 20 && level + 1 < text.size()) {
            return text.substr(skip_blanks(text, level + 1));
        }
    }
    return text;
}

bool only_level(std::string_view text) {
    return trim(without_level(text)).empty();
}

// The next "[seconds.microseconds]" from `from` on.
std::optional<Stamp> next_stamp(std::string_view text, std::size_t from) {
    for (std::size_t open = text.find('[', from); open != std::string_view::npos;
         open = text.find('[', open + 1)) {
        const std::size_t seconds = skip_blanks(text, open + 1);
        const std::size_t point = skip_digits(text, seconds);
        if (point == seconds || point >= text.size() || text[point] != '.') {
            continue;
        }
        const std::size_t fraction = skip_digits(text, point + 1);
        const std::size_t close = skip_blanks(text, fraction);
        const std::size_t digits = fraction - point - 1;
        // Six digits in the middle of a line; where a line begins, any number is a time
        const bool stamp_like = digits == 6 || (digits > 0 && digits < 10 && from == 0 &&
                                                only_level(text.substr(0, open)));
        if (!stamp_like || close >= text.size() || text[close] != ']') {
            continue;
        }
        Stamp stamp;
        stamp.begin = open;
        std::from_chars(text.data() + seconds, text.data() + fraction, stamp.time_s);
        stamp.end = read_caller(text, close + 1, stamp.context);
        if (stamp.end < text.size() && text[stamp.end] == ' ') {
            ++stamp.end;
        }
        return stamp;
    }
    return std::nullopt;
}

// Carriage returns, ANSI sequences, NUL and the like out; the rest as it is.
std::string without_controls(std::string_view raw) {
    std::string text;
    text.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const auto byte = static_cast<unsigned char>(raw[i]);
        if (byte == 0x1b && i + 1 < raw.size() && raw[i + 1] == '[') {
            i += 2;
            while (i < raw.size() && (raw[i] < '@' || raw[i] > '~')) {
                ++i;
            }
        } else if (byte == '\t' || (byte >= ' ' && byte != 0x7f)) {
            text.push_back(raw[i]);
        }
    }
    return text;
}

// "2025/06/25 17:57:06 ", "2025-06-25T17:57:06.123456+00:00 ", "Jun 25 17:57:06 host kernel: " of
// those who wrote the console down.
std::string_view without_wall_clock(std::string_view text) {
    constexpr std::size_t longest = 64;
    const auto kernel = text.substr(0, longest).find(" kernel: ");
    if (kernel != std::string_view::npos) {
        return text.substr(kernel + 9);
    }
    std::size_t end = 0;
    while (end < text.size() && end < longest &&
           (is_digit(text[end]) ||
            std::string_view("/:.-+TZ ").find(text[end]) != std::string_view::npos)) {
        ++end;
    }
    while (end > 0 && text[end - 1] != ' ') {
        --end;
    }
    const auto clock = text.substr(0, end);
    return is_digit(text.empty() ? ' ' : text[0]) &&
                   std::count(clock.begin(), clock.end(), ':') >= 2
               ? text.substr(end)
               : text;
}

} // namespace

std::vector<ConsoleLine> clean_line(std::string_view raw, std::size_t number) {
    const std::string text = without_controls(raw.substr(0, longest_line));
    const std::string shown = printable(std::string_view(text).substr(0, longest_shown));
    std::vector<ConsoleLine> lines;
    std::size_t begin = 0; // of the message that is being read
    ConsoleLine line;
    for (auto stamp = next_stamp(text, 0); stamp; stamp = next_stamp(text, stamp->end)) {
        const auto before =
            without_level(std::string_view(text).substr(begin, stamp->begin - begin));
        if (!trim(before).empty() || line.time_s >= 0) {
            line.text = before;
            lines.push_back(line);
        }
        line.time_s = stamp->time_s;
        line.context = stamp->context;
        begin = stamp->end;
    }
    line.text = without_level(std::string_view(text).substr(begin));
    if (line.time_s < 0) { // times may be switched off and the printer not: "[    T12] "
        line.text.erase(0, line.text.size() - without_wall_clock(line.text).size());
        const auto end = read_caller(line.text, 0, line.context);
        line.text.erase(0, end + (line.text.substr(end, 1) == " " ? 1 : 0));
    }
    lines.push_back(std::move(line));
    for (auto& each : lines) {
        each.shown = shown;
        each.number = number;
    }
    return lines;
}

bool has_later_stamp(std::string_view raw) {
    const auto stamp = next_stamp(raw.substr(0, 64), 0);
    return stamp && stamp->time_s > 0;
}

std::string_view without_subsystem(std::string_view text) {
    static constexpr std::array<std::string_view, 9> subsystems = {
        "rcu: ",      "NMI watchdog: ", "watchdog: ", "kernel: ",  "workqueue: ",
        "kmemleak: ", "hung_task: ",    "kfence: ",   "lockdep: ",
    };
    text.remove_prefix(skip_blanks(text, 0));
    for (bool again = true; again;) {
        again = false;
        for (const auto subsystem : subsystems) {
            if (text.starts_with(subsystem)) {
                text.remove_prefix(subsystem.size());
                again = true;
            }
        }
    }
    return text;
}

} // namespace kmatrix

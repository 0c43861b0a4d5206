// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/console_line.h"

#include <array>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace kmatrix {

namespace {

constexpr std::size_t longest_line = 4096;
constexpr std::size_t longest_shown = 400;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

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

// "[ T12]", "[ C3]", or the vendor form "[2:kworker/2:1: 1608]"; returns one past it, or `at`.
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
        if (fraction != point + 7 || close >= text.size() || text[close] != ']') {
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

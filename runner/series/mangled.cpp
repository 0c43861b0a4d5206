// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/mangled.h"

#include <fmt/format.h>

#include "base/text.h"
#include "runner/series/diff.h"

namespace kmatrix {
namespace {

bool begins_file(std::string_view line) {
    return line.starts_with("--- ") || line.starts_with("+++ ") || line.starts_with("diff -");
}

// A signature: "-- ", which some programs cut to "--".
bool is_signature(std::string_view line) {
    return line == "-- " || line == "--" || line.starts_with("---");
}

std::optional<std::string> damage_of_line(std::string_view line, const HunkLines& left) {
    if (!line.empty() && std::string_view(" +-\\").find(line.front()) == std::string_view::npos)
        return "begins with no ' ', '+' or '-', as a line that was wrapped does";
    if (left.old_lines < 0 || left.new_lines < 0)
        return "is one more than its hunk's header counts";
    return std::nullopt;
}

} // namespace

std::optional<std::string> damage(std::string_view diff) {
    HunkLines left;
    std::string file;
    bool after_hunk = false; // the line before was a hunk's last
    std::size_t number = 0;
    const auto at = [&](std::string_view what) {
        return fmt::format("line {} of its diff ({}) {}", number, printable(file), what);
    };
    while (!diff.empty()) {
        const std::size_t newline = diff.find('\n');
        const std::string_view line = diff.substr(0, newline);
        diff.remove_prefix(newline == std::string_view::npos ? diff.size() : newline + 1);
        ++number;
        if (left.any()) {
            left.take(line);
            if (const auto what = damage_of_line(line, left))
                return at(*what);
            after_hunk = !left.any();
            continue;
        }
        if (line.starts_with("@@ -") && !file.empty()) {
            const auto counts = HunkLines::of(line);
            if (!counts)
                return at("is a hunk's header that cannot be read");
            left = *counts;
            continue;
        }
        if (after_hunk && !line.empty() && !begins_file(line) && !is_signature(line) &&
            std::string_view(" +-").find(line.front()) != std::string_view::npos)
            return at("is one more than its hunk's header counts");
        after_hunk = after_hunk && line.starts_with('\\'); // "\ No newline at end of file"
        if (line.starts_with("+++ "))
            file = line.substr(4);
    }
    if (left.any())
        return at("is its last, in the middle of a hunk");
    return std::nullopt;
}

} // namespace kmatrix

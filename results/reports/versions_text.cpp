// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/versions_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_range_diff_lines = 100;

} // namespace

std::string range_diff_text(const std::string& range_diff, const std::string& indent,
                            std::size_t most) {
    std::string_view rest = range_diff;
    while (rest.ends_with('\n'))
        rest.remove_suffix(1);
    const std::vector<std::string> lines = split(rest, '\n');
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
        text += lines[i].empty() ? "\n" : indent + lines[i] + "\n";
    if (lines.size() > most)
        text +=
            fmt::format("{}[{} more lines: see kmatrix compare]\n", indent, lines.size() - most);
    return text;
}

std::string earlier_version_text(const RunResult& run) {
    if (!run.known.earlier_version)
        return {};
    const EarlierVersion& earlier = *run.known.earlier_version;
    std::string text = fmt::format("\nWHAT CHANGED SINCE v{}\n", earlier.version);
    text += wrapped(fmt::format("  That is its earlier version, for {}.", earlier.why), "  ");
    text += "  compare: " + earlier.command + "\n";
    for (const std::string& note : earlier.notes)
        text += wrapped("  note: " + note, "    ");
    if (earlier.range_diff.empty())
        return text + wrapped("  no git range-diff: " + earlier.no_range_diff, "    ");
    return text +
           fmt::format("  git range-diff v{} v{}:\n", earlier.version, run.info.series.version) +
           range_diff_text(earlier.range_diff, "    ", most_range_diff_lines);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/latency_text.h"
#include "results/reports/wrap.h"
#include "results/versions.h"

namespace kmatrix {
namespace {

enum class Colour { none, green, red, yellow };

struct Line {
    std::string text;
    Colour colour = Colour::none;
};

constexpr std::size_t narrowest_terminal = 40;
constexpr std::size_t widest = 100; // longer lines are hard to read

class Screen {
  public:
    Screen(const RunResult& run, const Comparison& comparison, const SummaryOptions& options)
        : run_(run), comparison_(comparison), options_(options),
          width_(std::clamp(options.columns, narrowest_terminal, widest)) {}

    std::string text() {
        const std::vector<Line> verdict = verdict_lines();
        const std::vector<Line> bottom = report_lines();
        // A blank line stands before each of the parts that follow the verdict.
        std::size_t room = summary_lines - std::min(summary_lines, bottom.size() + 1);
        std::vector<Line> lines = cut(verdict, room, "lines of the verdict");
        room -= lines.size();
        for (const auto& [part, what] : {std::pair{series_lines(), "lines of the series"},
                                         std::pair{regression_lines(), "that got worse"},
                                         std::pair{cell_lines(), "lines of cells"}}) {
            if (part.empty() || room < 3)
                continue;
            lines.push_back({});
            const std::vector<Line> shown = cut(part, room - 1, what);
            room -= shown.size() + 1;
            lines.insert(lines.end(), shown.begin(), shown.end());
        }
        lines.push_back({});
        lines.insert(lines.end(), bottom.begin(), bottom.end());
        std::string text;
        for (const Line& line : lines)
            text += coloured(line) + "\n";
        return text;
    }

  private:
    static std::vector<Line> cut(std::vector<Line> lines, std::size_t room,
                                 const std::string& what) {
        if (lines.size() <= room || room == 0) {
            lines.resize(std::min(lines.size(), room));
            return lines;
        }
        const std::size_t left = lines.size() - room + 1;
        lines.resize(room - 1);
        lines.push_back({fmt::format("and {} more {}", left, what)});
        return lines;
    }

    std::vector<Line> verdict_lines() const {
        const Colour colour = comparison_.outcome == Outcome::as_wanted   ? Colour::green
                              : comparison_.outcome == Outcome::regressed ? Colour::red
                                                                          : Colour::yellow;
        const std::string text = wrapped(one_line(comparison_.verdict), "", width_);
        const std::vector<std::string> texts = split(text.substr(0, text.size() - 1), '\n');
        std::vector<Line> lines;
        lines.reserve(texts.size());
        for (const std::string& line : texts)
            lines.push_back({fitted(line), colour});
        return lines;
    }

    // Of its patches each by itself, and of its earlier version.
    std::vector<Line> series_lines() const {
        std::vector<Line> lines;
        if (const std::string steps = sentence(comparison_.steps, run_.info.each_patch);
            !steps.empty())
            lines.push_back({fitted("each patch: " + steps)});
        if (run_.known.earlier_version) {
            lines.push_back({fitted(sentence(*run_.known.earlier_version))});
            lines.push_back({printable("compare: " + run_.known.earlier_version->command)});
        }
        return lines;
    }

    // The verdict names the first that gates; it stands here again, with the others.
    std::vector<Line> regression_lines() const {
        std::vector<Line> lines;
        lines.reserve(comparison_.regressions.size() + run_.infrastructure.size());
        for (const Regression& regression : comparison_.regressions) {
            const bool said = regression.line.empty() ||
                              regression.what.find(regression.line) != std::string::npos;
            lines.push_back(
                {fitted(fmt::format("{} {}: {}{}", regression.gates ? "!" : "-", regression.cell,
                                    regression.what, said ? "" : ": " + regression.line)),
                 regression.gates ? Colour::red : Colour::yellow});
        }
        for (const auto& [what, error] : run_.infrastructure)
            lines.push_back(
                {fitted(fmt::format("? {}: {}", what, error.substr(0, error.find('\n')))),
                 Colour::yellow});
        return lines;
    }

    // Of each cell how it boots and what the tests say, and a line for each of its benchmarks.
    std::vector<Line> cell_lines() const {
        std::vector<Line> lines;
        for (const Cell& cell : run_.matrix.cells) {
            std::vector<std::string> parts;
            add_boots(cell, parts);
            add_tests(cell, parts);
            lines.push_back({fitted(cell.id + ": " + join(parts, "; ")), colour_of(cell)});
            add_latency(cell, lines);
        }
        return lines;
    }

    Colour colour_of(const Cell& cell) const {
        bool worse = false;
        for (const Regression& regression : comparison_.regressions) {
            const std::vector<std::string> cells = split(regression.cell, ',');
            const bool here = std::any_of(cells.begin(), cells.end(), [&](const std::string& id) {
                return trim(id) == cell.id;
            });
            if (here && regression.gates)
                return Colour::red;
            worse |= here;
        }
        return worse ? Colour::yellow : Colour::none;
    }

    void add_boots(const Cell& cell, std::vector<std::string>& parts) const {
        parts.push_back(boots_of(comparison_.boots, cell.id) + " boots");
    }

    void add_tests(const Cell& cell, std::vector<std::string>& parts) const {
        const std::vector<std::string> words = all_counts(count(comparison_.tests, cell.id));
        if (!words.empty())
            parts.push_back("tests: " + join(words, ", "));
    }

    void add_latency(const Cell& cell, std::vector<Line>& lines) const {
        for (const LatencyComparison& latency : comparison_.latency) {
            if (latency.cell != cell.id)
                continue;
            const bool is_told =
                latency.changed() || latency.verdict == LatencyVerdict::changed_but_small;
            std::string text = fmt::format("{}: {}", latency.benchmark,
                                           is_told ? speed_text(*latency.ratio)
                                                   : std::string(to_string(latency.verdict)));
            if (latency.ratio)
                text += fmt::format(", {} to {} ms", ms_text(latency.side.baseline.mean_ms),
                                    ms_text(latency.side.patched.mean_ms));
            if (latency.emulated)
                text += ", emulated";
            lines.push_back({"  " + first_columns(text, width_ - 2)});
        }
    }

    std::vector<Line> report_lines() const {
        std::vector<Line> lines;
        lines.reserve(options_.reports.size());
        for (const std::string& path : options_.reports)
            lines.push_back({printable(path)}); // whole, to be copied
        return lines;
    }

    // One line of the screen; what does not fit is in the report.
    std::string fitted(const std::string& text) const {
        std::string line = one_line(text);
        if (columns(line) <= width_)
            return line;
        return first_columns(line, width_ - 3) + "...";
    }

    std::string coloured(const Line& line) const {
        if (!options_.colour || line.colour == Colour::none || line.text.empty())
            return line.text;
        const int code = line.colour == Colour::green ? 32 : line.colour == Colour::red ? 31 : 33;
        return fmt::format("\x1b[{}m{}\x1b[0m", code, line.text);
    }

    const RunResult& run_;
    const Comparison& comparison_;
    const SummaryOptions& options_;
    std::size_t width_;
};

} // namespace

std::string summary(const RunResult& run, const Comparison& comparison,
                    const SummaryOptions& options) {
    return Screen(run, comparison, options).text();
}

} // namespace kmatrix

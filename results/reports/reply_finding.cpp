// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/reply_finding.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/command.h"
#include "base/text.h"
#include "results/reports/reply_text.h"
#include "results/reports/tested_by.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_others = 5;
constexpr std::size_t most_excerpt_columns = 160;

bool changes_kernel(const std::string& file) {
    return !file.starts_with("tools/testing/") && !file.starts_with("Documentation/") &&
           file != "MAINTAINERS" && file != "CREDITS" && file != ".mailmap";
}

// The first of the cells that the regression names.
const Cell* cell_of(const RunResult& run, const Regression& regression) {
    for (const Cell& cell : run.matrix.cells)
        if (regression.cell.substr(0, regression.cell.find(',')) == cell.id)
            return &cell;
    return nullptr;
}

// "default+debug" is tinyconfig with two of kmatrix's fragments over it.
std::string config_text(const std::string& config) {
    const std::string name = config_name(config);
    const std::string base = split(config, '+').front();
    const bool has_base =
        base == "tinyconfig" || base == "defconfig" || base.find('/') != std::string::npos;
    return has_base ? name : "tinyconfig+" + name;
}

std::string machine_text(const RunResult& run, const Cell& cell) {
    const Axes& axes = cell.axes;
    return fmt::format("{}, {} vCPUs, QEMU/{}", to_string(axes.arch), axes.vcpus,
                       accelerator(run, axes.arch));
}

std::string reproducer(const RunResult& run, const Cell& cell) {
    const auto last = [](const std::string& path) {
        const std::filesystem::path name = std::filesystem::path(path).filename();
        return name.empty() ? path : name.string();
    };
    const std::string& source = run.info.series.source;
    const bool is_range = source.find("..") != std::string::npos;
    const Axes& axes = cell.axes;
    const std::string only =
        fmt::format("arch={} config={} vcpus={} compiler={}", to_string(axes.arch),
                    config_name(axes.config), axes.vcpus, axes.compiler);
    return one_line(shell_text({"kmatrix", "run", last(run.info.matrix_file), "--series",
                                is_range ? source : last(source)})) +
           " \\\n    --only " + one_line(shell_text({only}));
}

std::string excerpt(const Regression& regression) {
    const std::vector<std::string>& lines = regression.more;
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), most_excerpt_lines); ++i) {
        // The last line that fits says what is left out.
        if (i + 1 == most_excerpt_lines && lines.size() > most_excerpt_lines)
            return text + fmt::format("| [{} more lines]\n", lines.size() - i);
        std::string line = printable(lines[i]);
        if (line.size() > most_excerpt_columns)
            line = printable(line.substr(0, most_excerpt_columns)) + " [...]";
        text += trim(line).empty() ? "|\n" : "| " + line + "\n";
    }
    return text;
}

// What the baseline does instead, where that is plain. A test's own line says it.
std::string baseline_text(const Comparison& comparison, const Regression& regression) {
    if (regression.lane == Lane::build)
        return " The baseline builds.";
    if (regression.lane == Lane::splat)
        return " No boot of the baseline shows it.";
    if (regression.lane != Lane::boot)
        return "";
    std::size_t booted = 0;
    std::size_t completed = 0;
    for (const BootComparison& boots : comparison.boots)
        if (boots.cell == regression.cell) {
            booted += boots.side.baseline.booted;
            completed += boots.side.baseline.completed;
        }
    return fmt::format(" Of the baseline's boots here {} of {} complete.", completed, booted);
}

// The line that matters, if `what` does not say it.
std::string line_text(const Regression& regression) {
    return regression.line.empty() || regression.what.find(regression.line) != std::string::npos
               ? ""
               : ": " + regression.line;
}

std::string bullet(const Regression& regression) {
    return wrapped(one_line(fmt::format("- {}: {}{}", regression.cell, regression.what,
                                        line_text(regression))),
                   "  ", reply_width);
}

} // namespace

std::optional<std::size_t> guilty_patch(const SeriesInfo& series) {
    if (series.patches.size() == 1)
        return 1;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < series.letters.size(); ++i) {
        const std::vector<std::string>& files = series.letters[i].files;
        if (std::none_of(files.begin(), files.end(), changes_kernel))
            continue;
        if (found)
            return std::nullopt;
        found = i + 1;
    }
    return found;
}

std::string findings_text(const RunResult& run, const Comparison& comparison) {
    const Regression& first = comparison.regressions.front();
    const Cell* cell = cell_of(run, first);
    const bool of_build = first.lane == Lane::build || first.lane == Lane::warning;
    std::string what = of_build || !cell
                           ? first.what
                           : fmt::format("On {}: {}", machine_text(run, *cell), first.what);
    if (what.starts_with("the ") || what.starts_with("after "))
        what.front() = what.front() == 't' ? 'T' : 'A';
    if (first.lane == Lane::test || first.lane == Lane::warning)
        what += line_text(first);
    std::string text =
        wrapped(one_line(what + "." + baseline_text(comparison, first)), "", reply_width);
    // Of a splat, which may end a boot or not, the title.
    if ((first.lane == Lane::boot || first.lane == Lane::splat) && !line_text(first).empty())
        text += "\n" + wrapped(one_line(first.line), "  ", reply_width);
    if (first.lane == Lane::latency) {
        for (const LatencyComparison& latency : comparison.latency)
            if (latency.cell == first.cell && first.what.starts_with(latency.benchmark + " "))
                text += "\n" + reply_table(comparison, latency);
    } else if (const std::string lines = excerpt(first); !lines.empty()) {
        text += "\n" + lines;
    }
    if (cell) {
        const std::string cmdline =
            cell->axes.cmdline.empty() ? "" : ", command line " + cell->axes.cmdline;
        text +=
            "\n" + wrapped(one_line(fmt::format("Config: {}, {}{}", config_text(cell->axes.config),
                                                cell->axes.compiler, cmdline)),
                           "  ", reply_width);
        // To be pasted: never broken.
        text += "To see it again:\n  " + reproducer(run, *cell) + "\n";
    }
    if (comparison.regressions.size() == 1)
        return text;
    text += "\nAlso worse with the series:\n";
    std::size_t shown = 0;
    for (std::size_t i = 1; i < comparison.regressions.size() && shown < most_others; ++i, ++shown)
        text += bullet(comparison.regressions[i]);
    if (const std::size_t left = comparison.regressions.size() - 1 - shown; left > 0)
        text += fmt::format("- and {} more\n", left);
    return text;
}

std::string minor_findings_text(const Comparison& comparison) {
    if (comparison.regressions.empty())
        return "";
    std::string text = "Worse with the series:\n";
    std::size_t shown = 0;
    for (; shown < std::min(comparison.regressions.size(), most_others); ++shown)
        text += bullet(comparison.regressions[shown]);
    if (const std::size_t left = comparison.regressions.size() - shown; left > 0)
        text += fmt::format("- and {} more\n", left);
    return text;
}

} // namespace kmatrix

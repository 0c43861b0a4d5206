// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/plan_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/sections.h"

namespace kmatrix {
namespace {

std::string count(std::size_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

// To the minute, as an estimate is worth no more: "27 min", "1 h 37 min".
std::string about(double seconds) {
    const auto minutes = static_cast<std::int64_t>(std::llround(seconds / 60));
    if (minutes < 1)
        return "less than a minute";
    if (minutes < 60)
        return fmt::format("about {} min", minutes);
    return fmt::format("about {} h {:02} min", minutes / 60, minutes % 60);
}

std::string text(const Selftest& selftest) {
    std::string text = selftest_name(selftest);
    if (selftest.test.empty())
        text += " (all of it)";
    if (selftest.repeat != 1)
        text += fmt::format(" x {}", selftest.repeat);
    return text;
}

std::string text(const Benchmark& benchmark) {
    return fmt::format("{}: {} boots a side, {} of {} s each", benchmark.name, benchmark.boots,
                       count(static_cast<std::size_t>(benchmark.samples), "sample"),
                       benchmark.duration_s);
}

void add_cells(const Matrix& matrix, std::string& out) {
    out += "\nCells\n";
    for (const Cell& cell : matrix.cells) {
        out += fmt::format("  {}\n", cell.id);
        if (!cell.axes.cmdline.empty())
            out += fmt::format("    cmdline    {}\n", cell.axes.cmdline);
        for (const Selftest& selftest : cell.selftests)
            out += fmt::format("    selftest   {}\n", text(selftest));
        for (const Benchmark& benchmark : cell.benchmarks)
            out += fmt::format("    benchmark  {}\n", text(benchmark));
        if (cell.selftests.empty() && cell.benchmarks.empty())
            out += "    is only booted\n";
    }
}

void add_builds(const Matrix& matrix, const Plan& plan, std::string& out) {
    out += "\nKernel builds, each of them baseline and patched\n";
    for (const BuildKey& build : plan.builds) {
        const auto cells = std::count_if(matrix.cells.begin(), matrix.cells.end(),
                                         [&](const Cell& cell) { return cell.build() == build; });
        out += fmt::format("  {:<8} {:<20} {:<6} for {}\n", to_string(build.arch),
                           config_name(build.config), build.compiler,
                           count(static_cast<std::size_t>(cells), "cell"));
    }
}

void add_boots(const Plan& plan, std::string& out) {
    const auto functional = static_cast<std::size_t>(
        std::count_if(plan.boots.begin(), plan.boots.end(),
                      [](const PlannedBoot& boot) { return !boot.benchmark; }));
    const std::size_t benchmark = plan.boots.size() - functional;
    out += "\nBoots\n";
    if (functional != 0)
        out += fmt::format("  {} functional, side by side as CPUs and memory allow\n", functional);
    if (benchmark != 0)
        out += fmt::format("  {} for benchmarks, one at a time, baseline and patched in turn "
                           "(ABBA)\n",
                           benchmark);
}

void add_estimate(const Estimate& estimate, std::string& out) {
    const char* source = estimate.measured == 0 ? "a guess: nothing like it has run here yet"
                         : estimate.guessed == 0
                             ? "from earlier runs"
                             : "from earlier runs, and guesses where there are none";
    out += fmt::format("\nEstimate: {} ({})\n", about(estimate.seconds()), source);
    out += fmt::format("  builds {} with an empty cache, boots {} one after the other\n",
                       about(estimate.builds_s), about(estimate.boots_s));
}

} // namespace

std::string plan_text(const Matrix& matrix, const Plan& plan, const Estimate& estimate,
                      const std::vector<std::string>& warnings) {
    std::string out = fmt::format(
        "{}: {}, {}, {}\n", matrix.file.string(), count(matrix.cells.size(), "cell"),
        count(2 * plan.builds.size(), "kernel build"), count(plan.boots.size(), "boot"));
    add_cells(matrix, out);
    add_builds(matrix, plan, out);
    add_boots(plan, out);
    add_estimate(estimate, out);
    if (!warnings.empty())
        out += "\nWarnings\n";
    for (const std::string& warning : warnings)
        out += fmt::format("  {}\n", warning);
    return printable(out);
}

} // namespace kmatrix

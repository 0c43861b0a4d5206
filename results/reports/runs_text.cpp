// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/runs_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/runs_verdict.h"
#include "results/reports/runs_words.h"
#include "results/reports/wrap.h"

namespace kmatrix {

namespace {

constexpr std::size_t lines_of_a_splat = 12;
constexpr std::size_t columns_of_a_name = 44;

std::string run_text(const char* label, const RunInfo& info) {
    return wrapped(fmt::format("{}     {}", label, run_words(info)), "      ");
}

std::string build_text(const BuildChange& build) {
    std::string text = wrapped("  build " + build_words(build), "    ");
    for (const auto& [warnings, what] : {std::pair{&build.new_warnings, "new warning"},
                                         std::pair{&build.gone_warnings, "warning gone"}})
        for (const Warning& warning : *warnings)
            text += wrapped(fmt::format("    {}: {}", what, kmatrix::text(warning)), "      ");
    return text;
}

std::string boots_text(const BootChange& boots) {
    std::string text = wrapped(fmt::format("  boots {:<16} A {} of {}, B {} of {}: {}", boots.work,
                                           boots.patched.a.completed, boots.patched.a.booted,
                                           boots.patched.b.completed, boots.patched.b.booted,
                                           to_string(boots.verdict)),
                               "    ");
    for (const auto& [label, tally] :
         {std::pair{"A", &boots.patched.a}, std::pair{"B", &boots.patched.b}})
        for (const BootFailure& failure : tally->failures)
            text += wrapped(
                fmt::format("    {}: {}: {}", label, boot_in_its_run(failure), failure.what),
                "      ");
    return text;
}

std::string finding_text(const FindingChange& finding) {
    std::string text = wrapped("  splat " + finding_words(finding), "    ");
    if (finding.verdict != FindingVerdict::blamed)
        return text;
    const std::vector<std::string>& lines = finding.example.lines;
    for (std::size_t i = 0; i < std::min(lines.size(), lines_of_a_splat); ++i)
        text += "    | " + lines[i] + "\n";
    if (!finding.console.empty())
        text += "    log: " + finding.console.string() + " in B\n";
    return text;
}

std::string tests_text(const RunsComparison& runs, const std::string& cell) {
    const TestsAlike count = count_alike(runs, cell);
    if (count.alike + count.not_compared + count.differ == 0)
        return "";
    std::string text;
    for (const TestChange& test : runs.tests) {
        if (test.cell != cell || !test.counted || !test.differs())
            continue;
        // A name that is too long has a line of its own.
        const bool fits = columns(test.name) <= columns_of_a_name;
        text +=
            fmt::format("{}    {:<44} {:>13} {:>13}  {}\n", fits ? "" : "    " + test.name + "\n",
                        fits ? test.name : "", short_text(test.patched.a),
                        short_text(test.patched.b), to_string(test.verdict));
        if (const std::string line = line_of(test); !line.empty())
            text += wrapped("      " + line, "        ");
        text += wrapped("      against its own baseline: " + own_words(test), "        ");
    }
    if (count.differ != 0)
        text = fmt::format("  {:<46}{:>14}{:>14}\n", "tests of the patched kernels that differ",
                           "A", "B") +
               text;
    return text + fmt::format("  tests: {}\n", alike_words(count));
}

std::string latency_text(const LatencyChange& change) {
    std::string text = fmt::format("  {}, mean time of a call\n", change.benchmark);
    const auto line = [&](const char* what, const std::string& said) {
        text += wrapped(fmt::format("    {:<24}{}", what, said), std::string(28, ' '));
    };
    line("A, patched/baseline", ratio_words(change.own.a));
    line("B, patched/baseline", ratio_words(change.own.b));
    if (change.baselines)
        line("baselines, B/A", ratio_words(*change.baselines));
    line("patched kernels, B/A",
         change.direct ? ratio_words(*change.direct) : "not compared: " + change.refused);
    return text;
}

std::string cell_text(const RunsComparison& runs, const std::string& cell) {
    std::string text = "\n" + cell + "\n";
    for (const BuildChange& build : runs.builds)
        if (std::find(build.cells.begin(), build.cells.end(), cell) != build.cells.end())
            text += build_text(build);
    for (const BootChange& boots : runs.boots)
        if (boots.cell == cell)
            text += boots_text(boots);
    for (const FindingChange& finding : runs.findings)
        if (finding.cell == cell)
            text += finding_text(finding);
    text += tests_text(runs, cell);
    for (const LatencyChange& change : runs.latency)
        if (change.cell == cell)
            text += latency_text(change);
    return text;
}

} // namespace

std::string runs_text(const RunsComparison& runs) {
    std::string text = wrapped(runs.verdict, "") + "\n";
    text += run_text("A", runs.run.a) + run_text("B", runs.run.b);
    for (const std::string& note : runs.notes)
        text += wrapped("note  " + note, "      ");
    for (const auto& [label, cells] :
         {std::pair{"A", &runs.alone.a}, std::pair{"B", &runs.alone.b}})
        if (!cells->empty())
            text +=
                wrapped(fmt::format("note  {} alone has {}", label, join(*cells, ", ")), "      ");
    for (const std::string& cell : runs.cells)
        text += cell_text(runs, cell);
    return printable(text);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/runs_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/latency_text.h"
#include "results/comparison/runs_verdict.h"
#include "results/reports/wrap.h"

namespace kmatrix {

namespace {

constexpr std::size_t lines_of_a_splat = 12;

std::string run_text(const char* label, const RunInfo& info) {
    return wrapped(fmt::format("{}     v{} of \"{}\", run {}, {}; baseline Linux {} ({})", label,
                               info.series.version, info.series.subject, info.id, info.started,
                               info.baseline_describe, info.baseline_commit.substr(0, 12)),
                   "      ");
}

std::string state_text(const BuildSide& side) {
    switch (side.state) {
    case BuildState::not_run:
        return "was not built";
    case BuildState::built:
        return "builds";
    case BuildState::broken:
        return "does not build: " + side.error.substr(0, side.error.find('\n'));
    }
    return {};
}

std::string build_text(const BuildChange& build) {
    std::string text;
    if (build.same_image)
        text = "  build both patched kernels are the same image";
    else if (build.verdict == BuildVerdict::builds)
        text = "  build both patched kernels build";
    else
        text = fmt::format("  build {}: A's patched kernel {}; B's {}", to_string(build.verdict),
                           state_text(build.patched.a), state_text(build.patched.b));
    text = wrapped(text, "    ");
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
            // Of A's ids between() has put the letter in front.
            text += wrapped(
                fmt::format("    {}: {}: {}", label,
                            failure.boot.starts_with("A:") ? failure.boot.substr(2) : failure.boot,
                            failure.what),
                "      ");
    return text;
}

std::string finding_text(const FindingChange& finding) {
    const bool in_b = finding.boots.b != 0;
    std::string text =
        wrapped(fmt::format("  splat {}: {} ({} of {} boots in A, {} of {} in B){}",
                            word(finding.verdict), finding.example.title, finding.boots.a,
                            finding.of.a, finding.boots.b, finding.of.b,
                            finding.on_own_baseline
                                ? fmt::format("; {}'s baseline shows it too", in_b ? "B" : "A")
                                : std::string()),
                "    ");
    if (finding.verdict != FindingVerdict::blamed)
        return text;
    const std::vector<std::string>& lines = finding.example.lines;
    for (std::size_t i = 0; i < std::min(lines.size(), lines_of_a_splat); ++i)
        text += "    | " + lines[i] + "\n";
    if (!finding.console.empty())
        text += "    log: " + finding.console.string() + " in B\n";
    return text;
}

std::string own_text(const TestChange& test) {
    const auto one = [](const std::optional<TestVerdict>& verdict) {
        return verdict ? std::string(to_string(*verdict)) : std::string("not there");
    };
    return fmt::format("{} in A, {} in B", one(test.own.a), one(test.own.b));
}

// What failed says it in B; what is fixed says what it was in A.
std::string line_of(const TestChange& test) {
    return test.verdict == TestVerdict::fixed || test.patched.b.line.empty() ? test.patched.a.line
                                                                             : test.patched.b.line;
}

std::string tests_text(const RunsComparison& runs, const std::string& cell) {
    std::string text;
    std::size_t alike = 0;
    std::size_t not_compared = 0;
    for (const TestChange& test : runs.tests) {
        if (test.cell != cell || !test.counted)
            continue;
        if (!test.differs()) {
            ++(test.verdict == TestVerdict::not_compared ? not_compared : alike);
            continue;
        }
        text += fmt::format("    {:<44}{:>14}{:>14}  {}\n", test.name, short_text(test.patched.a),
                            short_text(test.patched.b), to_string(test.verdict));
        if (const std::string line = line_of(test);
            !line.empty() && test.verdict != TestVerdict::appeared)
            text += wrapped("      " + line, "        ");
        text += wrapped("      against its own baseline: " + own_text(test), "        ");
    }
    if (text.empty() && alike + not_compared == 0)
        return "";
    if (!text.empty())
        text = fmt::format("  {:<46}{:>14}{:>14}\n", "tests of the patched kernels that differ",
                           "A", "B") +
               text;
    return text +
           fmt::format("  tests: {} alike{}\n", alike,
                       not_compared == 0 ? "" : fmt::format(", {} not compared", not_compared));
}

std::string ratio_text(const LatencyComparison& latency) {
    if (!latency.ratio)
        return fmt::format("{}: {}", to_string(latency.verdict), latency.why);
    std::string text = "ratio " + significant_text(*latency.ratio);
    if (latency.test)
        text +=
            fmt::format(", 95 % interval {} to {}", significant_text(latency.test->ratio_95.low),
                        significant_text(latency.test->ratio_95.high));
    if (latency.p_holm)
        text += *latency.p_holm < 0.0001 ? ", p below 0.0001"
                                         : fmt::format(", p {:.2g}", *latency.p_holm);
    text += ": " + word(latency);
    // The rest of its reasons names baseline and patched, which are others here.
    if (latency.verdict == LatencyVerdict::inconclusive && !latency.p_holm)
        text += fmt::format(", for want of boots ({} and {})", latency.side.baseline.boots.size(),
                            latency.side.patched.boots.size());
    return text + (latency.emulated ? ", emulated" : "");
}

std::string latency_text(const LatencyChange& change) {
    std::string text = fmt::format("  {}, mean time of a call\n", change.benchmark);
    const auto line = [&](const char* what, const std::string& said) {
        text += wrapped(fmt::format("    {:<24}{}", what, said), std::string(28, ' '));
    };
    line("A, patched/baseline", ratio_text(change.own.a));
    line("B, patched/baseline", ratio_text(change.own.b));
    if (change.baselines)
        line("baselines, B/A", ratio_text(*change.baselines));
    line("patched kernels, B/A",
         change.direct ? ratio_text(*change.direct) : "not compared: " + change.refused);
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

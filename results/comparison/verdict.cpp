// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/verdict.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/noise.h"
#include "results/comparison/notes.h"

namespace kmatrix {

namespace {

constexpr std::size_t most_benchmarks_named = 4;

bool baseline_completed_a_boot(const Comparison& comparison) {
    return std::any_of(
        comparison.boots.begin(), comparison.boots.end(),
        [](const BootComparison& boots) { return boots.side.baseline.completed != 0; });
}

// What was skipped, or run on one kernel alone, tells nothing of the series.
bool is_result(const TestComparison& test) {
    switch (test.verdict) {
    case TestVerdict::passes:
    case TestVerdict::fixed:
    case TestVerdict::regressed:
    case TestVerdict::fails:
    case TestVerdict::flaky:
    case TestVerdict::appeared:
        return true;
    case TestVerdict::missing:
        return test.side.baseline.passed + test.side.baseline.failed != 0;
    case TestVerdict::skipped:
    case TestVerdict::not_compared:
        return false;
    }
    return false;
}

bool has_result(const RunResult& run, const Comparison& comparison) {
    const bool tests = std::any_of(comparison.tests.begin(), comparison.tests.end(), is_result);
    const bool figures = std::any_of(
        comparison.latency.begin(), comparison.latency.end(), [](const LatencyComparison& latency) {
            return !latency.side.baseline.boots.empty() && !latency.side.patched.boots.empty();
        });
    // A cell that asks for nothing else asks whether it boots.
    const bool boots =
        std::any_of(run.matrix.cells.begin(), run.matrix.cells.end(), [&](const Cell& cell) {
            return cell.selftests.empty() && cell.benchmarks.empty() &&
                   std::any_of(comparison.boots.begin(), comparison.boots.end(),
                               [&](const BootComparison& of) {
                                   return of.cell == cell.id && of.side.baseline.booted != 0 &&
                                          of.side.patched.completed != 0;
                               });
        });
    return tests || figures || boots;
}

std::string counted(std::size_t count, const std::string& singular, const std::string& plural) {
    return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string tests_text(const TestCounts& counts) {
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, const char* singular, const char* plural) {
        if (count == 0)
            return;
        const std::string what = count == 1 ? singular : plural;
        const char* tests = !parts.empty() ? "" : count == 1 ? "test " : "tests ";
        parts.push_back(fmt::format("{} {}{}", count, tests, what));
    };
    add(counts.passes, "passes on both kernels", "pass on both kernels");
    add(counts.regressed, "regressed", "regressed");
    add(counts.fixed, "is fixed", "are fixed");
    add(counts.appeared, "is new", "are new");
    add(counts.fails, "fails on both", "fail on both");
    add(counts.flaky, "is flaky", "are flaky");
    add(counts.missing, "is missing", "are missing");
    add(counts.skipped, "is skipped", "are skipped");
    add(counts.not_compared, "could not be compared", "could not be compared");
    return join(parts, ", ");
}

// Where it was measured: the architecture, if that tells it from the others, else the cell.
std::string where(const LatencyComparison& latency, const std::vector<LatencyComparison>& all) {
    const auto alike = std::count_if(all.begin(), all.end(), [&](const LatencyComparison& other) {
        return other.benchmark == latency.benchmark && other.axes.arch == latency.axes.arch;
    });
    return alike == 1 ? std::string(to_string(latency.axes.arch)) : latency.cell;
}

std::string words(const LatencyComparison& latency) {
    return latency.changed() || latency.verdict == LatencyVerdict::changed_but_small
               ? speed_text(*latency.ratio)
               : std::string(to_string(latency.verdict));
}

// "smaps_rollup is 13 times faster on x86_64 and 3.6 times faster on arm64, under emulation".
std::string latency_text(const std::vector<LatencyComparison>& all) {
    if (all.empty())
        return {};
    const auto emulated = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const auto& latency) { return latency.emulated; }));
    std::vector<std::pair<std::string, std::vector<std::string>>> parts; // by benchmark
    if (all.size() > most_benchmarks_named) {
        std::vector<std::pair<std::string_view, std::size_t>> verdicts;
        for (const LatencyComparison& latency : all) {
            const std::string_view verdict = to_string(latency.verdict);
            const auto known =
                std::find_if(verdicts.begin(), verdicts.end(),
                             [&](const auto& other) { return other.first == verdict; });
            if (known == verdicts.end())
                verdicts.emplace_back(verdict, 1);
            else
                ++known->second;
        }
        std::vector<std::string> counts;
        for (const auto& [verdict, count] : verdicts)
            counts.push_back(fmt::format("{} {}", count, verdict));
        parts.push_back(
            {fmt::format("of {} latency comparisons {}", all.size(), join(counts, ", ")), {}});
    } else {
        for (const LatencyComparison& latency : all) {
            if (parts.empty() || parts.back().first != latency.benchmark + " is ")
                parts.push_back({latency.benchmark + " is ", {}});
            parts.back().second.push_back(
                fmt::format("{} on {}{}", words(latency), where(latency, all),
                            latency.emulated && emulated != all.size() ? " (emulated)" : ""));
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [benchmark, results] : parts)
        sentences.push_back(benchmark + join(results, " and "));
    std::string text = join(sentences, ", ");
    if (emulated == all.size())
        text += ", under emulation";
    else if (all.size() > most_benchmarks_named && emulated != 0)
        text += fmt::format(" ({} under emulation)", emulated);
    return text;
}

// "the patched kernel panicked: X in CELL (LINE)".
std::string regression_text(const Regression& regression) {
    std::string text = regression.cell + ": " + regression.what;
    if (!regression.line.empty() && regression.what.find(regression.line) == std::string::npos)
        text += ": " + regression.line;
    return text;
}

std::string and_more(std::size_t others) {
    return others == 0 ? "" : fmt::format("; and {} more", others);
}

std::string not_run_text(const RunResult& run) {
    return run.not_run.empty() ? "" : "; " + boots_not_run(run);
}

std::string undone_text(const RunResult& run) {
    return fmt::format("{} could not be done ({}: {})",
                       counted(run.infrastructure.size(), "piece of work", "pieces of work"),
                       run.infrastructure.front().first,
                       first_line(run.infrastructure.front().second));
}

// What went well, or at least did not gate.
std::string rest_text(const RunResult& run, const Comparison& comparison) {
    if (run.info.noise)
        return "an A/A run, one kernel on both sides; noise floor: " +
               noise_text(run, comparison.latency) +
               (comparison.emulated ? ", under emulation" : "");
    const bool unchanged =
        !comparison.builds.empty() &&
        std::all_of(comparison.builds.begin(), comparison.builds.end(),
                    [](const BuildComparison& build) { return build.same_image; });
    std::string text;
    if (unchanged)
        text = "the series does not change these kernels: both images are the same, and no "
               "difference is possible";
    else if (comparison.regressions.empty())
        text = "nothing regressed";
    else
        text = "nothing that gates regressed, but " +
               regression_text(comparison.regressions.front()) +
               and_more(comparison.regressions.size() - 1);
    if (const std::string steps = sentence(comparison.steps, run.info.each_patch); !steps.empty())
        text += "; " + steps;
    if (const std::string tests = tests_text(count(comparison.tests)); !tests.empty())
        text += "; " + tests;
    if (const std::string latency = latency_text(comparison.latency);
        !latency.empty() && !unchanged)
        text += "; " + latency;
    return text;
}

std::string broken_baseline_text(const Comparison& comparison) {
    for (const BuildComparison& build : comparison.builds)
        if (build.side.baseline.state == BuildState::broken)
            return fmt::format("baseline does not build ({}: {})", name(build.key),
                               first_line(build.side.baseline.error));
    for (const BootComparison& boots : comparison.boots)
        if (!boots.side.baseline.failures.empty())
            return fmt::format("no boot of baseline completed ({}: it {})", boots.cell,
                               boots.side.baseline.failures.front().what);
    return "baseline was not booted";
}

std::string no_result_text(const Comparison& comparison) {
    const std::string tests = tests_text(count(comparison.tests));
    return "no test and no benchmark gave a result" + (tests.empty() ? "" : " (" + tests + ")");
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

} // namespace

Outcome find_outcome(const RunResult& run, const Comparison& comparison) {
    if (comparison.gating() != 0)
        return Outcome::regressed;
    if (!run.infrastructure.empty() || !baseline_completed_a_boot(comparison) ||
        !has_result(run, comparison))
        return Outcome::infrastructure;
    return Outcome::as_wanted;
}

std::string find_verdict(const RunResult& run, const Comparison& comparison) {
    switch (comparison.outcome) {
    case Outcome::regressed: {
        const std::size_t others = comparison.gating() - 1;
        return "The series regressed " + regression_text(comparison.regressions.front()) +
               and_more(others) +
               (run.infrastructure.empty() ? "" : "; besides, " + undone_text(run)) +
               not_run_text(run) + ".";
    }
    case Outcome::infrastructure:
        if (!baseline_completed_a_boot(comparison))
            return "No verdict: " +
                   (run.infrastructure.empty() ? broken_baseline_text(comparison)
                                               : undone_text(run)) +
                   not_run_text(run) + ".";
        if (!has_result(run, comparison))
            return "No verdict: " +
                   (run.infrastructure.empty() ? no_result_text(comparison) : undone_text(run)) +
                   not_run_text(run) + ".";
        return "No whole verdict: " + undone_text(run) + "; of the rest, " +
               rest_text(run, comparison) + not_run_text(run) + ".";
    case Outcome::as_wanted:
        return capitalised(rest_text(run, comparison)) + not_run_text(run) + ".";
    }
    return {};
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/bisect.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "results/store.h"
#include "runner/cli/verbs.h"
#include "runner/run/run.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

const Regression* first_gating(const Comparison& comparison, const std::string& cell) {
    const auto found =
        std::find_if(comparison.regressions.begin(), comparison.regressions.end(),
                     [&](const Regression& regression) {
                         return regression.gates &&
                                (cell.empty() || regression.cell.find(cell) != std::string::npos);
                     });
    return found == comparison.regressions.end() ? nullptr : &*found;
}

std::string text_of(const Regression& regression) {
    return regression.what + (regression.line.empty() ? "" : ": " + regression.line);
}

std::vector<std::string> targets_of(const RunResult& run, const std::string& cell) {
    std::set<std::string> targets;
    if (const Cell* found = find_cell(run.matrix, cell))
        for (const Selftest& selftest : found->selftests)
            targets.insert(selftest.target);
    return {targets.begin(), targets.end()};
}

Result<BisectStep> judge(int patches, const Comparison& comparison) {
    if (comparison.outcome == Outcome::infrastructure)
        return infrastructure_error(
            fmt::format("the first {} patches: no verdict: {}", patches, comparison.verdict));
    const Regression* regression = first_gating(comparison, "");
    return BisectStep{patches, regression != nullptr, regression ? text_of(*regression) : ""};
}

Result<BisectStep> run_step(const fs::path& directory, RunRequest request, int patches) {
    request.patches = patches;
    request.directory = directory / "bisect" / std::to_string(patches);
    request.resume = is_run(request.directory);
    auto end = perform(request);
    if (!end)
        return tl::unexpected(std::move(end.error()));
    if (end->interrupted)
        return infrastructure_error("interrupted; the same command goes on");
    auto step = judge(patches, end->comparison);
    if (step)
        fmt::print("{} of the series' patches: {}\n", patches,
                   step->bad ? step->line : "as the baseline");
    return step;
}

} // namespace

Result<Bisected> bisect(BisectStep all, const std::function<Result<BisectStep>(int)>& is_bad) {
    int good = 0;
    BisectStep bad = std::move(all);
    while (bad.patches - good > 1) {
        const int middle = good + (bad.patches - good) / 2;
        auto step = is_bad(middle);
        if (!step)
            return tl::unexpected(std::move(step.error()));
        if (step->bad)
            bad = std::move(*step);
        else
            good = middle;
    }
    return Bisected{bad.patches, bad.line};
}

int bisect_run(const fs::path& directory, Part part, int jobs) {
    const auto run = load_run(directory);
    if (!run)
        return fail(run.error());
    const Comparison comparison = compare(*run);
    const Regression* regression = first_gating(comparison, part.cell);
    if (!regression)
        return fail(user_error(fmt::format("{}: nothing regressed there that gates",
                                           part.cell.empty() ? directory.string() : part.cell))
                        .value());
    // A build is shared by cells: any of them shows it.
    if (part.cell.empty())
        part.cell = split(regression->cell, ',').front();
    // Without the benchmarks, unless it is about them.
    if (part.tests.empty() && regression->lane != Lane::latency)
        part.tests = targets_of(*run, part.cell);
    auto request = part_of_run(directory, part);
    if (!request)
        return fail(request.error());
    request->jobs = jobs;
    const std::vector<std::string>& subjects = run->info.series.patches;
    BisectStep all{static_cast<int>(subjects.size()), true, text_of(*regression)};
    const auto found =
        bisect(std::move(all), [&](int patches) { return run_step(directory, *request, patches); });
    if (!found)
        return fail(found.error());
    fmt::print("patch {} of {} is the first bad one: {}\n  {}\n", found->first_bad, subjects.size(),
               printable(subjects.at(static_cast<std::size_t>(found->first_bad - 1))),
               printable(found->line));
    return 0;
}

} // namespace kmatrix

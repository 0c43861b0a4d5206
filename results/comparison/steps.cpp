// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/steps.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "results/comparison/comparison.h"
#include "results/comparison/regressions.h"

namespace kmatrix {
namespace {

// The run as it would be if the series ended with that patch: one functional boot a cell, if any.
RunResult ending_with(const RunResult& run, int patches) {
    const bool is_last = patches > run.steps();
    const bool boots = run.info.each_patch == EachPatch::boot;
    RunResult step;
    step.info = run.info;
    step.info.each_patch = EachPatch::no;
    step.info.reruns.clear();
    step.matrix = run.matrix;
    for (Cell& cell : step.matrix.cells)
        cell.benchmarks.clear();
    const auto is_wanted = [&](const auto& result) {
        return result.kernel == Kernel::baseline || (is_last ? result.patches == 0 : false);
    };
    for (const BuildResult& build : run.builds)
        if (is_wanted(build))
            step.builds.push_back(build);
    for (const BuildResult& build : run.step_builds)
        if (build.patches == patches)
            step.builds.push_back(build);
    if (!boots)
        return step;
    for (const BootResult& boot : run.boots)
        if (boot.id.ends_with("/functional") && is_wanted(boot))
            step.boots.push_back(boot);
    for (const BootResult& boot : run.step_boots)
        if (boot.patches == patches)
            step.boots.push_back(boot);
    // What its tests say is not asked.
    for (BootResult& boot : step.boots)
        boot.tests.clear();
    return step;
}

StepTrial trial_of(const BuildComparison& build) {
    StepTrial trial{Lane::build, "build " + name(build.key), build.cells, StepVerdict::works, {}};
    switch (build.verdict) {
    case BuildVerdict::builds:
    case BuildVerdict::fixed:
        return trial;
    case BuildVerdict::regressed:
        trial.verdict = StepVerdict::breaks;
        trial.why = "does not build: " + first_line(build.side.patched.error);
        return trial;
    case BuildVerdict::broken_on_both:
        trial.verdict = StepVerdict::no_word;
        trial.why = "the baseline does not build either";
        return trial;
    case BuildVerdict::not_compared:
        trial.verdict = build.side.patched.state == BuildState::not_run ? StepVerdict::not_run
                                                                        : StepVerdict::no_word;
        trial.why = sentence(build);
        return trial;
    }
    return trial;
}

StepTrial trial_of(const BootComparison& boots, const std::vector<FindingComparison>& findings) {
    StepTrial trial{Lane::boot, "boot " + boots.cell, {boots.cell}, StepVerdict::works, boots.why};
    const auto splat =
        std::find_if(findings.begin(), findings.end(), [&](const FindingComparison& finding) {
            return finding.cell == boots.cell && finding.verdict == FindingVerdict::blamed;
        });
    if (boots.verdict == BootVerdict::regressed || splat != findings.end()) {
        trial.verdict = StepVerdict::breaks;
        if (boots.verdict != BootVerdict::regressed)
            trial.why = "the console shows a splat: " + splat->example.title;
        return trial;
    }
    const bool booted = boots.side.patched.booted != 0;
    switch (boots.verdict) {
    case BootVerdict::boots:
    case BootVerdict::fixed:
    case BootVerdict::regressed:
        break;
    case BootVerdict::fails_on_both:
    case BootVerdict::flaky:
    case BootVerdict::no_verdict:
        trial.verdict = StepVerdict::no_word;
        break;
    case BootVerdict::not_compared:
        trial.verdict = booted ? StepVerdict::no_word : StepVerdict::not_run;
        break;
    }
    return trial;
}

// "The patched kernel" is that of the whole series.
std::string of_kernel(const std::string& what) {
    constexpr std::string_view patched = "the patched kernel";
    return what.starts_with(patched) ? "the kernel" + what.substr(patched.size()) : what;
}

StepComparison compare_step(const RunResult& run, int patches) {
    const RunResult step = ending_with(run, patches);
    Comparison comparison;
    comparison.builds = compare_builds(step);
    comparison.boots = compare_boots(step, comparison.builds);
    comparison.findings = compare_findings(step, comparison.builds);
    StepComparison result;
    result.patches = patches;
    result.subject = run.info.series.patches.at(static_cast<std::size_t>(patches - 1));
    result.regressions = find_regressions(step, comparison);
    for (Regression& regression : result.regressions)
        regression.what = of_kernel(regression.what);
    for (const BuildComparison& build : comparison.builds)
        result.trials.push_back(trial_of(build));
    if (run.info.each_patch == EachPatch::boot)
        for (const BootComparison& boots : comparison.boots)
            result.trials.push_back(trial_of(boots, comparison.findings));
    const auto any = [&](StepVerdict verdict) {
        return std::any_of(result.trials.begin(), result.trials.end(),
                           [&](const StepTrial& trial) { return trial.verdict == verdict; });
    };
    result.verdict = any(StepVerdict::breaks)    ? StepVerdict::breaks
                     : any(StepVerdict::not_run) ? StepVerdict::not_run
                     : any(StepVerdict::no_word) ? StepVerdict::no_word
                                                 : StepVerdict::works;
    return result;
}

// The same thing at another patch. A warning and a splat are known by their words; how a build or a
// boot fails may differ.
bool is_same(const Regression& one, const Regression& other) {
    const bool by_words = one.lane == Lane::splat || one.lane == Lane::warning;
    return one.lane == other.lane && one.cell == other.cell &&
           (!by_words || one.line == other.line);
}

bool has(const StepComparison& step, const Regression& regression) {
    return std::any_of(step.regressions.begin(), step.regressions.end(),
                       [&](const Regression& other) { return is_same(regression, other); });
}

// Whether the step was tried where the regression was seen.
bool was_tried(const StepComparison& step, const Regression& regression) {
    const Lane lane = regression.lane == Lane::build || regression.lane == Lane::warning
                          ? Lane::build
                          : Lane::boot;
    return std::any_of(step.trials.begin(), step.trials.end(), [&](const StepTrial& trial) {
        return trial.lane == lane && trial.verdict != StepVerdict::not_run &&
               regression.cell.starts_with(trial.cells.front());
    });
}

} // namespace

std::string_view to_string(StepVerdict verdict) {
    switch (verdict) {
    case StepVerdict::works:
        return "works";
    case StepVerdict::breaks:
        return "breaks bisection";
    case StepVerdict::no_word:
        return "no verdict";
    case StepVerdict::not_run:
        return "not run";
    }
    return "unknown";
}

std::vector<StepComparison> compare_steps(const RunResult& run) {
    std::vector<StepComparison> steps;
    if (run.info.each_patch == EachPatch::no)
        return steps;
    const auto all = static_cast<int>(run.info.series.patches.size());
    steps.reserve(run.info.series.patches.size());
    for (int patches = 1; patches <= all; ++patches)
        steps.push_back(compare_step(run, patches));
    return steps;
}

std::vector<Regression> broken_between(const std::vector<StepComparison>& steps) {
    std::vector<Regression> found;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        for (const Regression& regression : steps[i].regressions) {
            if (i > 0 && has(steps[i - 1], regression))
                continue; // told there
            const auto rest = steps.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            const auto mended = std::find_if(rest, steps.end(), [&](const StepComparison& later) {
                return was_tried(later, regression) && !has(later, regression);
            });
            if (mended == steps.end() && has(steps.back(), regression))
                continue; // the whole series' own
            Regression between = regression;
            between.patch = steps[i].patches;
            between.what = fmt::format("after patch {} of {} {}", steps[i].patches, steps.size(),
                                       regression.what);
            if (mended != steps.end())
                between.what += fmt::format("; patch {} mends it", mended->patches);
            found.push_back(std::move(between));
        }
    return found;
}

std::string sentence(const std::vector<StepComparison>& steps, EachPatch each) {
    if (steps.empty())
        return {};
    std::vector<int> broken;
    std::size_t silent = 0;
    for (const StepComparison& step : steps) {
        if (step.verdict == StepVerdict::breaks)
            broken.push_back(step.patches);
        else if (step.verdict != StepVerdict::works)
            ++silent;
    }
    std::string text;
    if (!broken.empty())
        text = fmt::format("patch{} {} of {} break{} bisection", broken.size() == 1 ? "" : "es",
                           fmt::join(broken, ", "), steps.size(), broken.size() == 1 ? "s" : "");
    else if (silent == 0)
        return steps.size() == 1
                   ? std::string("the only patch is the whole series")
                   : fmt::format("the kernel builds{} after each of the {} patches",
                                 each == EachPatch::boot ? " and boots" : "", steps.size());
    if (silent != 0)
        text += fmt::format("{}{} of {} patches could not be judged each by itself",
                            text.empty() ? "" : ", ", silent, steps.size());
    return text;
}

} // namespace kmatrix

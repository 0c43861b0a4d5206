// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/comparison.h"

#include <algorithm>

#include "results/comparison/notes.h"
#include "results/comparison/regressions.h"
#include "results/comparison/verdict.h"

namespace kmatrix {

std::string_view to_string(Lane lane) {
    switch (lane) {
    case Lane::build:
        return "build";
    case Lane::boot:
        return "boot";
    case Lane::splat:
        return "splat";
    case Lane::test:
        return "test";
    case Lane::latency:
        return "latency";
    case Lane::warning:
        return "warning";
    }
    return "unknown";
}

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
    case Outcome::as_wanted:
        return "as wanted";
    case Outcome::regressed:
        return "regressed";
    case Outcome::infrastructure:
        return "infrastructure";
    }
    return "unknown";
}

std::size_t Comparison::gating() const {
    return static_cast<std::size_t>(
        std::count_if(regressions.begin(), regressions.end(),
                      [](const Regression& regression) { return regression.gates; }));
}

Comparison compare(const RunResult& run, const LatencyOptions& options) {
    Comparison comparison;
    comparison.builds = compare_builds(run);
    comparison.boots = compare_boots(run, comparison.builds);
    comparison.findings = compare_findings(run, comparison.builds);
    comparison.tests = compare_tests(run, comparison.builds);
    comparison.latency = compare_latency(run, comparison.builds, options);
    comparison.emulated =
        std::any_of(run.boots.begin(), run.boots.end(),
                    [](const BootResult& boot) { return boot.machine.accel == Accel::tcg; });
    comparison.steps = compare_steps(run);
    comparison.regressions = find_regressions(run, comparison);
    comparison.notes = find_notes(run, comparison);
    comparison.outcome = find_outcome(run, comparison);
    comparison.verdict = find_verdict(run, comparison);
    return comparison;
}

int exit_status(const Comparison& comparison) {
    return static_cast<int>(comparison.outcome);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What a run says about its series. Every report is made from this and the run itself, so that all
// of them say the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/boots.h"
#include "results/comparison/builds.h"
#include "results/comparison/findings.h"
#include "results/comparison/latency.h"
#include "results/comparison/regression.h"
#include "results/comparison/steps.h"
#include "results/comparison/tests.h"
#include "results/model.h"

namespace kmatrix {

enum class Outcome {
    as_wanted = 0,
    regressed = 1,      // something that gates
    infrastructure = 3, // nothing can be said: work of ours failed, or the baseline is broken
};
std::string_view to_string(Outcome outcome);

struct Comparison {
    std::vector<BuildComparison> builds;
    std::vector<BootComparison> boots;
    std::vector<FindingComparison> findings;
    std::vector<TestComparison> tests;
    std::vector<LatencyComparison> latency;
    std::vector<StepComparison> steps; // of --each-patch; else none
    // What gates stands first; then by lane, in the matrix's order.
    std::vector<Regression> regressions;
    // What a reader must know of the machines: emulation, images that are the same, boots not run,
    // guests that differ (vCPUs online, clock source, preemption). A sentence each.
    std::vector<std::string> notes;
    bool emulated = false; // any boot was
    Outcome outcome = Outcome::infrastructure;
    std::string verdict; // one sentence, for the top of every report

    std::size_t gating() const; // regressions that gate
};

Comparison compare(const RunResult& run, const LatencyOptions& options = {});

// kmatrix's exit status: 0, 1 or 3.
int exit_status(const Comparison& comparison);

} // namespace kmatrix

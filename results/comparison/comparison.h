// SPDX-License-Identifier: GPL-2.0-only
// What a run says about its series. Every report is made from this and the run itself, so that all
// of them say the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/boots.h"
#include "results/comparison/builds.h"
#include "results/comparison/findings.h"
#include "results/comparison/latency.h"
#include "results/comparison/tests.h"
#include "results/model.h"

namespace kmatrix {

enum class Lane { build, boot, splat, test, latency, warning };
std::string_view to_string(Lane lane);

// Something that the series made worse.
struct Regression {
    Lane lane = Lane::build;
    std::string cell; // its id; of a build or a warning, all cells that boot it, joined by ", "
    std::string what; // "the patched kernel panicked at boot", "proc: proc-maps-race fails"
    // The line that matters: the compiler's error, the splat's title, the assertion that failed.
    std::string line;
    std::vector<std::string> more; // lines of the splat, the test's output, the console's end
    bool gates = false;            // [gate] makes exit status 1 of it
    std::filesystem::path log;     // relative to the run's directory; may be empty
    std::string command;           // to see it again by hand; may be empty
};

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

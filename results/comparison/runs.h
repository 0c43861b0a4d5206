// SPDX-License-Identifier: GPL-2.0-only
// Two runs against each other: what changed from one version of a series to the next.
//
// The patched kernels of both runs are judged as the baseline and the patched kernel of one run are
// (builds.h, boots.h, findings.h, tests.h, latency.h): A's stands where the baseline stands there.
// What B's own baseline does too is not held against B's series.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

template <class T>
struct InRuns {
    T a{};
    T b{};
};

struct BuildChange {
    BuildKey key;
    std::vector<std::string> cells;
    InRuns<BuildSide> patched;
    BuildVerdict verdict = BuildVerdict::not_compared; // of B's patched kernel against A's
    bool same_image = false; // byte by byte: whatever differs between their boots is chance
    // The series brings them in one run (the run's own baseline has them not), and not in the
    // other.
    std::vector<Warning> new_warnings, gone_warnings;
};

struct BootChange {
    std::string cell;
    std::string work; // "functional", or the benchmark's name
    InRuns<BootTally> patched;
    BootVerdict verdict = BootVerdict::not_compared;
};

struct FindingChange {
    std::string cell;
    InRuns<std::size_t> boots; // of the patched kernel's that show it
    InRuns<std::size_t> of;
    FindingVerdict verdict = FindingVerdict::not_compared; // blamed: new in B
    // The baseline of the run that shows it does so too (of B, unless it is gone there).
    bool on_own_baseline = false;
    Finding example;
    std::filesystem::path console; // relative to the directory of that run
};

struct TestChange {
    std::string cell;
    std::string name; // as name(TestComparison)
    bool counted = true;
    InRuns<TestTally> patched;
    TestVerdict verdict = TestVerdict::not_compared; // of B's patched kernel against A's
    // Against each run's own baseline; none where a run does not know the test.
    InRuns<std::optional<TestVerdict>> own;

    // Worth a line: the two patched kernels do not simply do the same.
    bool differs() const;
};

struct LatencyChange {
    std::string cell;
    std::string benchmark;
    InRuns<LatencyComparison> own; // each run's patched kernel against its own baseline
    // B's baseline against A's, which is an A/A comparison: both are the same image, or this is not
    // there.
    std::optional<LatencyComparison> baselines;
    // B's patched kernel against A's. Holm's p is over all such comparisons of the two runs.
    std::optional<LatencyComparison> direct;
    std::string refused; // why there is no direct comparison; empty if there is
};

struct RunsComparison {
    InRuns<RunInfo> run;
    std::vector<std::string> cells;         // that both runs have, in B's order
    InRuns<std::vector<std::string>> alone; // cells that one run alone has
    std::vector<BuildChange> builds;
    std::vector<BootChange> boots;
    std::vector<FindingChange> findings;
    std::vector<TestChange> tests;
    std::vector<LatencyChange> latency;
    std::vector<std::string> notes; // what a reader must know of both; a sentence each
    bool emulated = false;
    std::size_t gating = 0; // what is worse in B, and gates by B's matrix
    std::string verdict;    // one sentence
};

// kmatrix's exit status: 1 if B's patched kernel is worse than A's in something that gates, else 0.
int exit_status(const RunsComparison& runs);

// Errors, the user's: the runs have no cell in common.
Result<RunsComparison> compare_runs(const RunResult& a, const RunResult& b);

// Why two runs of one cell and benchmark cannot be compared directly; empty if they can. Both must
// have measured the same thing (the benchmark's options, the guest's memory and nodes) in the same
// place (host CPU and their number, QEMU, accelerator), and their baselines must be one image.
std::string why_not_direct(const RunResult& a, const RunResult& b, const std::string& cell,
                           const std::string& benchmark);

// One for each benchmark that both runs have in a cell of both.
std::vector<LatencyChange> compare_latency_of_runs(const RunResult& a, const RunResult& b,
                                                   const InRuns<Comparison>& own);

// One side of each run as the two sides of a run of its own: A's `kernel` as baseline, B's as
// patched, in the cells that both have. Boots of A get ids that begin with "A:".
RunResult between(const RunResult& a, const RunResult& b, Kernel kernel);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What the reports of two runs say in the same words, whatever their form.
#pragma once

#include <cstddef>
#include <string>

#include "results/comparison/runs.h"

namespace kmatrix {

// "v2 of \"proc: x\", run 20260101-120000, 2026-01-01T12:00:00Z; baseline Linux 7.3.4
// (0123456789ab)"
std::string run_words(const RunInfo& info);
// "both patched kernels build", "regressed: A's patched kernel builds; B's does not build: ..."
std::string build_words(const BuildChange& build);
// The boot's id as its own run has it: of A's, between() has put a letter in front.
std::string boot_in_its_run(const BootFailure& failure);
// "new: BUG in x (0 of 7 boots in A, 1 of 7 in B); B's baseline shows it too"
std::string finding_words(const FindingChange& finding);
// "passes in A, regressed in B", each against its own baseline.
std::string own_words(const TestChange& test);
// The line that matters: of what failed in B; of what is fixed, what it was in A. Empty of a new
// one.
std::string line_of(const TestChange& test);
// "ratio 1.25, 95 % interval 1.23 to 1.27, p below 0.0001: 25 % slower, emulated"
std::string ratio_words(const LatencyComparison& latency);

// Tests of a cell that need no line.
struct TestsAlike {
    std::size_t alike = 0;
    std::size_t not_compared = 0;
    std::size_t differ = 0; // and those that do
};
TestsAlike count_alike(const RunsComparison& runs, const std::string& cell);
// "3 alike, 1 not compared"
std::string alike_words(const TestsAlike& count);

} // namespace kmatrix

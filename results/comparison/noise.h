// SPDX-License-Identifier: GPL-2.0-only
// The noise floor: how far one kernel is from itself on this machine.
#pragma once

#include <string>
#include <vector>

#include "results/comparison/latency.h"
#include "results/known.h"
#include "results/model.h"

namespace kmatrix {

NoiseKey noise_key(const Cell& cell, const Benchmark& benchmark, const Machine& machine);

struct MeasuredNoise {
    std::vector<NoiseFloor> floors; // one a key: of cells that share one, the larger
    // What no floor can be given for, and why: "CELL, smaps_rollup: 3 and 4 boots ...".
    std::vector<std::string> without;
};

// Of an A/A run. As everywhere, fewer than four boots a side say nothing.
MeasuredNoise measured_noise(const RunResult& run, const std::vector<LatencyComparison>& latency);

// "smaps_rollup 3.2 % in x86_64-default-8cpu-gcc", and where one kernel came out as changed against
// itself, that too; for the verdict of an A/A run.
std::string noise_text(const RunResult& run, const std::vector<LatencyComparison>& latency);

} // namespace kmatrix

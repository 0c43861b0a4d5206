// SPDX-License-Identifier: GPL-2.0-only
// The boots that a latency comparison was made of.
#pragma once

#include <vector>

#include "results/comparison/latency.h"
#include "results/model.h"

namespace kmatrix {

struct BenchmarkBoot {
    const BootResult* boot = nullptr;
    const BootFigure* figure = nullptr; // of its side; none: it gives no figure
};

// All boots of that benchmark in that cell, in the order of the plan, which is the order run.
std::vector<BenchmarkBoot> boots_of(const RunResult& run, const LatencyComparison& latency);

} // namespace kmatrix

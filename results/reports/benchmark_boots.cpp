// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/benchmark_boots.h"

#include <algorithm>

namespace kmatrix {

std::vector<BenchmarkBoot> boots_of(const RunResult& run, const LatencyComparison& latency) {
    std::vector<BenchmarkBoot> found;
    for (const BootResult& boot : run.boots) {
        if (boot.cell != latency.cell || boot.benchmark != latency.benchmark)
            continue;
        const std::vector<BootFigure>& figures = latency.side.of(boot.kernel).boots;
        const auto figure =
            std::find_if(figures.begin(), figures.end(),
                         [&](const BootFigure& other) { return other.boot == boot.id; });
        found.push_back({&boot, figure == figures.end() ? nullptr : &*figure});
    }
    return found;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/noise.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/latency_text.h"

namespace kmatrix {

namespace {

const BootResult* first_boot(const RunResult& run, const LatencyComparison& latency) {
    const auto found =
        std::find_if(run.boots.begin(), run.boots.end(), [&](const BootResult& boot) {
            return boot.cell == latency.cell && boot.benchmark == latency.benchmark;
        });
    return found == run.boots.end() ? nullptr : &*found;
}

// Empty where the comparison gives a floor.
std::string why_no_floor(const LatencyComparison& latency) {
    const std::size_t baseline = latency.side.baseline.boots.size();
    const std::size_t patched = latency.side.patched.boots.size();
    if (latency.verdict == LatencyVerdict::not_measured ||
        latency.verdict == LatencyVerdict::refused)
        return latency.why;
    if (!latency.test || std::min(baseline, patched) < static_cast<std::size_t>(fewest_boots))
        return fmt::format("{} and {} boots with figures are too few, it takes {} a side", baseline,
                           patched, fewest_boots);
    return {};
}

void keep_larger(std::vector<NoiseFloor>& floors, NoiseFloor floor) {
    const NoiseFloor* known = find(floors, floor.key);
    if (known == nullptr || known->floor < floor.floor)
        learn(floors, floor);
}

} // namespace

NoiseKey noise_key(const Cell& cell, const Benchmark& benchmark, const Machine& machine) {
    return {fmt::format("{} x {}", machine.host_cpus, machine.host_cpu), cell.axes.arch,
            machine.accel, cell.axes.vcpus, noise_benchmark(benchmark)};
}

MeasuredNoise measured_noise(const RunResult& run, const std::vector<LatencyComparison>& latency) {
    MeasuredNoise noise;
    for (const LatencyComparison& one : latency) {
        const Cell* cell = find_cell(run.matrix, one.cell);
        const BootResult* boot = first_boot(run, one);
        if (std::string why = why_no_floor(one); !why.empty() || !cell || !boot) {
            noise.without.push_back(fmt::format("{}, {}: {}", one.cell, one.benchmark, why));
            continue;
        }
        const auto benchmark =
            std::find_if(cell->benchmarks.begin(), cell->benchmarks.end(),
                         [&](const Benchmark& other) { return other.name == one.benchmark; });
        keep_larger(noise.floors,
                    {noise_key(*cell, *benchmark, boot->machine), noise_floor(one.test->ratio_90),
                     one.test->ratio, one.test->ratio_90,
                     std::min(one.test->boots.baseline, one.test->boots.patched), run.info.id,
                     run.info.started});
    }
    return noise;
}

std::string noise_text(const RunResult& run, const std::vector<LatencyComparison>& latency) {
    std::vector<std::string> parts;
    for (const LatencyComparison& one : latency) {
        if (!why_no_floor(one).empty())
            continue;
        parts.push_back(fmt::format("{} {} in {}{}", one.benchmark,
                                    percent_text(noise_floor(one.test->ratio_90)), one.cell,
                                    one.changed() ? fmt::format(" (one kernel came out as {} than "
                                                                "itself: the sides are not alike "
                                                                "here, or chance)",
                                                                speed_text(*one.ratio))
                                                  : std::string()));
    }
    for (const std::string& without : measured_noise(run, latency).without)
        parts.push_back("none for " + without);
    return join(parts, "; ");
}

} // namespace kmatrix

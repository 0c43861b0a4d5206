// SPDX-License-Identifier: GPL-2.0-only
#include "results/known.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kmatrix {

double noise_floor(const statistics::Interval& ratio_90) {
    return std::expm1(
        std::max(std::abs(std::log(ratio_90.low)), std::abs(std::log(ratio_90.high))));
}

std::string noise_benchmark(const Benchmark& benchmark) {
    if (!benchmark.command.empty())
        return fmt::format("{} of {}", benchmark.name, benchmark.command.string());
    return fmt::format("{} {} {}x{}s busy {}x{} {}ms{}", benchmark.procfile,
                       to_string(benchmark.scanner), benchmark.samples, benchmark.duration_s,
                       benchmark.busycpus, benchmark.busytasks, benchmark.busyduration_ms,
                       benchmark.fragment ? "" : " unfragmented");
}

const NoiseFloor* find(const std::vector<NoiseFloor>& floors, const NoiseKey& key) {
    const auto found = std::find_if(floors.begin(), floors.end(),
                                    [&](const NoiseFloor& floor) { return floor.key == key; });
    return found == floors.end() ? nullptr : &*found;
}

void learn(std::vector<NoiseFloor>& floors, const NoiseFloor& floor) {
    std::erase_if(floors, [&](const NoiseFloor& other) { return other.key == floor.key; });
    floors.push_back(floor);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What earlier runs on this machine taught, as a run knew it: kept with the run, so that its
// reports say the same whenever they are made again.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "matrix/matrix.h"
#include "results/statistics/welch.h"

namespace kmatrix {

// What the noise of a latency figure depends on.
struct NoiseKey {
    std::string machine; // "2 x Intel(R) Xeon(R) Processor"
    Arch arch = Arch::x86_64;
    Accel accel = Accel::tcg; // never automatic
    int vcpus = 0;
    std::string benchmark; // its options: noise_benchmark()

    auto operator<=>(const NoiseKey&) const = default;
};

// What an A/A run, which has one kernel on both sides, measured.
struct NoiseFloor {
    NoiseKey key;
    double floor = 0; // as a ratio's distance from 1, such as 0.05
    double ratio = 1; // the A/A ratio itself
    statistics::Interval ratio_90{1, 1};
    std::size_t boots = 0; // a side, the fewer
    std::string run;       // RunInfo::id
    std::string measured;  // RunInfo::started
};

// The smallest margin within which the A/A run shows one kernel equivalent to itself, by the very
// test that ordinary runs use (D. J. Schuirmann's two one-sided tests, 1987): the farther end of
// the 90 % interval of the ratio, which is an upper 95 % bound of |ln ratio| (M. A. Seaman and R.
// C. Serlin, "Equivalence confidence intervals for two-group comparisons of means", Psychological
// Methods 3 (1998) 403-411). It covers what the spread between boots does not: whatever moves one
// side as a whole. A margin below it would call differences real which one kernel has with itself.
double noise_floor(const statistics::Interval& ratio_90);

// All that decides how much a boot's figure scatters: "smaps_rollup pread 2x5s busy 1x1 2ms".
std::string noise_benchmark(const Benchmark& benchmark);

// How often a test failed in earlier runs, on kernels without any series.
struct EarlierFailures {
    Arch arch = Arch::x86_64;
    std::string config;
    std::string test; // "proc: proc-maps-race: maps.tearing", without whose it is
    Kernel origin = Kernel::patched;
    std::size_t failed = 0; // or was missing; of those that were not skipped
    std::size_t runs = 0;
};

// The newest earlier version of a series that was tested here.
struct EarlierVersion {
    int version = 1;
    std::string run;       // RunInfo::id
    std::string started;   // RunInfo::started
    std::string directory; // where that run was; it may be gone
    std::string verdict;   // Comparison::verdict
    std::string why;       // it is of the same series: "both have the change-id x"
    std::string command;   // that compares the two runs
    // What `git range-diff` says of the two versions' patches, and what to know of it; or why there
    // is none.
    std::string range_diff;
    std::vector<std::string> notes;
    std::string no_range_diff;

    bool operator==(const EarlierVersion&) const = default;
};

struct Known {
    std::vector<NoiseFloor> noise;
    std::vector<EarlierFailures> failures;
    std::optional<EarlierVersion> earlier_version;
};

const NoiseFloor* find(const std::vector<NoiseFloor>& floors, const NoiseKey& key);
// The newer measurement of a key takes the place of the older one.
void learn(std::vector<NoiseFloor>& floors, const NoiseFloor& floor);

} // namespace kmatrix

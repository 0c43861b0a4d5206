// SPDX-License-Identifier: GPL-2.0-only
// How long mmap() and munmap() take under the one kernel and under the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/builds.h"
#include "results/comparison/decision.h"
#include "results/comparison/sides.h"
#include "results/model.h"

namespace kmatrix {

// What a boot says: the geometric mean of its samples' mean call times.
struct BootFigure {
    std::string boot; // BootResult::id
    int number = 1;
    double mean_ms = 0;
    std::size_t samples = 0;
    // It stands apart from its side's others (results/statistics/describe.h). It counts all the
    // same.
    bool outlier = false;
};

// A boot that gives no figure, and why.
struct BootWithoutFigure {
    std::string boot;
    std::string why;
};

// Described, not tested. Percentiles are the median over samples of each sample's own; the maximum
// is the largest of all, and grows with the number of calls.
struct LatencySide {
    std::vector<BootFigure> boots; // in the order of their numbers
    std::vector<BootWithoutFigure> without_figure;
    double mean_ms = 0; // geometric, over boots: what the ratio is of
    double p50_ms = 0, p90_ms = 0, p99_ms = 0, p999_ms = 0; // 0 where not measured
    double max_ms = 0;
    std::uint64_t calls = 0; // mmap and munmap, of all samples
    double calls_per_s = 0;  // throughput
    double scans_per_s = 0;  // whole reads of the file under /proc
    double deviation = 0;    // between boots, of logarithms; 0 with fewer than two boots
    double vmas_start = 0, vmas_end = 0; // mean over samples
    std::size_t censored = 0;            // samples of 0, taken for half a unit
    std::size_t hung = 0; // samples without one finished call, taken for their whole length
};

enum class MarginSource { gate, noise_floor, rounding };
std::string_view to_string(MarginSource source); // "the matrix's", "this machine's noise", ...

struct LatencyComparison {
    std::string cell;
    std::string benchmark;
    bool own_command =
        false; // it is the user's program; else procfs-latency, which times mmap/munmap
    Axes axes; // the cell's
    Sides<LatencySide> side;
    LatencyVerdict verdict = LatencyVerdict::not_measured;
    std::string why;    // of what is no change and no equivalence: the reason
    std::string settle; // of inconclusive: what would settle it
    bool emulated = false;
    bool overcommitted = false;
    double margin = 0.05;
    MarginSource margin_source = MarginSource::gate;
    std::string margin_why;        // "5 %, the matrix's; this machine's noise was never measured"
    std::optional<double> ratio;   // patched/baseline; needs a boot a side
    std::optional<RatioTest> test; // needs two
    std::optional<double> p_holm;  // adjusted over the run's endpoints; none if not one of them
    // Boots a side to see a difference of 5 % with 80 % power, by the noise between these boots.
    // None if unknown, or more than statistics::most_boots.
    std::optional<std::size_t> boots_to_see;
    std::vector<std::string> notes; // outliers, censored samples, unlike machines; a sentence each

    bool changed() const {
        return verdict == LatencyVerdict::faster || verdict == LatencyVerdict::slower;
    }
};

struct LatencyOptions {
    std::uint64_t seed = 1; // of the permutation test's draws
    // Compare though both sides are one image, as an A/A run does (RunInfo::noise).
    bool same_image_too = false;
};

// One primary endpoint for each benchmark of each cell, in the matrix's order. The margin is the
// largest of the matrix's, of this machine's noise floor where the run knows it (RunResult::known),
// and of the figures' rounding.
std::vector<LatencyComparison> compare_latency(const RunResult& run,
                                               const std::vector<BuildComparison>& builds,
                                               const LatencyOptions& options = {});

// "13 times faster", "12 % slower": of a ratio patched/baseline of times.
std::string speed_text(double ratio);
// The whole of it in one sentence, without the cell: "smaps_rollup: mmap/munmap calls are 13 times
// faster (ratio 0.077, 95 % interval 0.071 to 0.083, p 0.0002), emulated". The p is Holm's.
std::string sentence(const LatencyComparison& latency);

} // namespace kmatrix

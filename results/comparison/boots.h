// SPDX-License-Identifier: GPL-2.0-only
// Whether each kernel still boots, and stays up until its work is done.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/builds.h"
#include "results/comparison/sides.h"
#include "results/model.h"
#include "results/statistics/rate.h"

namespace kmatrix {

// A boot that did not complete.
struct BootFailure {
    std::string boot;    // BootResult::id
    std::string outcome; // name() of it
    std::string what;    // sentence() of it
    // The line that matters: the title of the first splat on the console, else `what`.
    std::string line;
    // An RCU stall or a lockup was all that was seen, and the host cannot run so many emulated
    // vCPUs in time: no word on the kernel.
    bool excused = false;
    std::filesystem::path console;
    std::string console_tail;
    std::string command;
};

struct BootTally {
    std::size_t planned = 0;
    std::size_t booted = 0; // started, however they ended
    std::size_t completed = 0;
    std::map<std::string, std::size_t> outcomes; // by name()
    std::vector<BootFailure> failures;           // all that did not complete

    std::size_t excused() const;
    // Of the boots that count: failures that are not excused, of all but the excused.
    statistics::Rate failing() const;
};

enum class BootVerdict {
    boots,         // on both sides, every time
    regressed,     // baseline completed every time, patched failed; or it fails more often now
    fixed,         // the reverse
    fails_on_both, // every time
    flaky,         // fails now and then, and no difference in how often can be told
    no_verdict,    // every failure is excused
    not_compared,  // a side has no boot
};
std::string_view to_string(BootVerdict verdict);

// The functional boots of a cell, or those of one of its benchmarks: boots that do the same work.
struct BootComparison {
    std::string cell;
    std::optional<std::string> benchmark; // none: functional
    Sides<BootTally> side;
    BootVerdict verdict = BootVerdict::not_compared;
    std::string why; // a sentence; empty where there is nothing to say
    bool emulated = false;
};

// In the plan's order; a group that the plan has no boots for is not there.
std::vector<BootComparison> compare_boots(const RunResult& run,
                                          const std::vector<BuildComparison>& builds);

// "14 of 14": of all boots of the cell, on both kernels, that were planned, those that completed.
std::string boots_of(const std::vector<BootComparison>& boots, std::string_view cell);

// "functional", or the benchmark's name.
std::string work(const BootComparison& boots);

// Whether a failure of this boot is no word on the kernel: it hung, never booted or passed its
// deadline under emulation with more vCPUs than such a host can run in time, and all that its
// console shows is stalls.
bool is_excused(const BootResult& boot, const Axes& axes);

} // namespace kmatrix

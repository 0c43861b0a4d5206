// SPDX-License-Identifier: GPL-2.0-only
// Each patch of a series by itself (--each-patch): whether the kernel builds, and boots, after the
// first, the first two, ... of its patches, so that whoever bisects later finds kernels that do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/regression.h"
#include "results/model.h"

namespace kmatrix {

enum class StepVerdict {
    works,   // all that was asked for
    breaks,  // a build or a boot that the baseline passes, or a splat that it has not
    no_word, // the baseline itself does not do it: nothing can be said
    not_run  // some of it was left out
};
std::string_view to_string(StepVerdict verdict); // "works", "breaks bisection", ...

// A kernel or a cell after so many patches.
struct StepTrial {
    Lane lane = Lane::build; // of what was tried: build or boot
    std::string what;        // "build x86_64 default gcc", "boot x86_64-default-4cpu-gcc"
    std::vector<std::string> cells;
    StepVerdict verdict = StepVerdict::not_run;
    std::string why; // where it does not work: a line
};

struct StepComparison {
    int patches = 0;     // the first so many
    std::string subject; // of the last of them
    std::vector<StepTrial> trials;
    // As those of the whole series are found (regressions.h), new compiler warnings among them.
    std::vector<Regression> regressions;
    StepVerdict verdict = StepVerdict::not_run; // the worst of the trials
};

// One for each patch; the last is the patched kernel. Judged by how builds and boots end and by
// splats; of tests nothing is said, since those of the whole series may well fail below its last
// patch. None unless info.each_patch asks.
std::vector<StepComparison> compare_steps(const RunResult& run);

// What breaks after some patch and no longer with all of them: "after patch 2 of 3 the kernel does
// not build (...); patch 3 mends it". What still breaks at the end is the series' own regression.
std::vector<Regression> broken_between(const std::vector<StepComparison>& steps);

// "each of the 3 patches builds", "patch 2 of 3 breaks bisection"; empty for none.
std::string sentence(const std::vector<StepComparison>& steps, EachPatch each);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix bisect`: which patch of a series first regresses what a run found.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "runner/run/part.h"

namespace kmatrix {

// What became of the first so many patches.
struct BisectStep {
    int patches = 0;
    bool bad = false;
    std::string line; // of a bad one: what regressed
};

struct Bisected {
    int first_bad = 0; // the patch that brings it, from 1
    std::string line;  // of the step that ends with it
};
// `is_bad` is asked of the fewest steps that tell. Known beforehand: without any patch it is good,
// and `all`, with all of them, is bad. Errors: those of is_bad.
Result<Bisected> bisect(BisectStep all, const std::function<Result<BisectStep>(int)>& is_bad);

// Runs the steps, each an ordinary run of that part in DIRECTORY/bisect/N, which a second bisect
// goes on with, and prints what it finds. A step is bad if something regresses that gates. Exit
// status: 0 found; 2 and 3 as `kmatrix run`.
int bisect_run(const std::filesystem::path& directory, Part part, int jobs);

} // namespace kmatrix

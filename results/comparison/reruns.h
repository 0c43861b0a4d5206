// SPDX-License-Identifier: GPL-2.0-only
// Which tests to run again, to tell a flake from a regression.
#pragma once

#include <vector>

#include "matrix/matrix.h"
#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// More tests than this that differ in one cell are no flakes, and running all of them again would
// take longer than the run.
inline constexpr std::size_t most_reruns = 10; // programs of a cell
// A test is run again as often as this leaves time for, but within these bounds. With three more
// runs, failing each time on patched and never on baseline is Fisher's p = 1/C(8,4) = 0.014.
inline constexpr double rerun_s = 120;
inline constexpr int fewest_times = 3;
inline constexpr int most_times = 20;

// One more functional boot of both kernels for each cell in which a test fails on one of them and
// passes on the other: those tests alone, on both, so that both get a rate. None of a kernel that
// does not complete its functional boots, nor where both images are the same, nor of a cell
// that has any.
std::vector<PlannedBoot> reruns(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

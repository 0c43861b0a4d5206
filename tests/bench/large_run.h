// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "results/model.h"

namespace kmatrix::bench {

// 10,000 results on each kernel: four cells of 50 programs with 49 subtests. On the patched kernel
// one in a hundred fails, with 20 lines of output; two cells run a benchmark of six boots a side.
RunResult large_run();

} // namespace kmatrix::bench

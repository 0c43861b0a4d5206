// SPDX-License-Identifier: GPL-2.0-only
// Which selftests and benchmarks run in which cell, and whether they can.
#pragma once

#include <vector>

#include "matrix/points.h"
#include "matrix/sections.h"

namespace kmatrix {

// A cell for each point, with the entries that are for it. Complains of entries that no cell runs,
// of names in an include that are none, and of what cannot go together: a benchmark on a debug
// config or with too few vCPUs, 64K pages on x86_64, one test twice in a cell.
std::vector<Cell> make_cells(const std::vector<Point>& points,
                             const std::vector<SelftestEntry>& selftests,
                             const std::vector<BenchmarkEntry>& benchmarks, const VmSection& vm,
                             Complaints& complaints);

} // namespace kmatrix

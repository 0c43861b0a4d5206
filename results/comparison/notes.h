// SPDX-License-Identifier: GPL-2.0-only
// What a reader must know of the machines before believing the rest.
#pragma once

#include <string>
#include <vector>

#include "results/comparison/comparison.h"

namespace kmatrix {

// From the run and the comparison of its builds and boots; a sentence each.
std::vector<std::string> find_notes(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

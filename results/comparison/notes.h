// SPDX-License-Identifier: GPL-2.0-only
// What a reader must know of the machines before believing the rest.
#pragma once

#include <string>
#include <vector>

#include "results/comparison/comparison.h"

namespace kmatrix {

// From the run and the comparison of its builds and boots; a sentence each.
std::vector<std::string> find_notes(const RunResult& run, const Comparison& comparison);

// "2 of 30 boots were not run".
std::string boots_not_run(const RunResult& run);

} // namespace kmatrix

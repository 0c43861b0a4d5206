// SPDX-License-Identifier: GPL-2.0-only
// What a run says of one cell, as JSON for other programs (docs/results.md).
#pragma once

#include <string>

#include "results/comparison/comparison.h"

namespace kmatrix {

std::string cell_json(const Comparison& comparison, const Cell& cell);

} // namespace kmatrix

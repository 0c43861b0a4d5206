// SPDX-License-Identifier: GPL-2.0-only
// What is said of one cell, as a JSON value: a file of its own, and a part of report.json.
#pragma once

#include <nlohmann/json.hpp>

#include "results/comparison/comparison.h"

namespace kmatrix {

nlohmann::json cell_value(const Comparison& comparison, const Cell& cell);

} // namespace kmatrix

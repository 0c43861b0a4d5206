// SPDX-License-Identifier: GPL-2.0-only
// Everything that the reports say, as one JSON document for programs. docs/report.schema.json is
// its schema; report_format_version grows when a reader of the old form would be misled.
#pragma once

#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr int report_format_version = 1;

std::string report_json(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

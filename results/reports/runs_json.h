// SPDX-License-Identifier: GPL-2.0-only
// Two runs against each other as one JSON document for programs. docs/compare.schema.json is its
// schema; runs_format_version grows when a reader of the old form would be misled.
#pragma once

#include <string>

#include "results/comparison/runs.h"

namespace kmatrix {

inline constexpr int runs_format_version = 1;

std::string runs_json(const RunsComparison& runs);

} // namespace kmatrix

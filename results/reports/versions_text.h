// SPDX-License-Identifier: GPL-2.0-only
// An earlier version of the series, and what changed since, in plain text.
#pragma once

#include <cstddef>
#include <string>

#include "results/model.h"

namespace kmatrix {

// The lines of a range-diff behind an indent; of those after the first `most` only how many they
// are.
std::string range_diff_text(const std::string& range_diff, const std::string& indent,
                            std::size_t most = static_cast<std::size_t>(-1));

// The section of report.txt: empty where no earlier version was tested here.
std::string earlier_version_text(const RunResult& run);

} // namespace kmatrix

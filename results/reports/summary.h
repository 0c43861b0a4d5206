// SPDX-License-Identifier: GPL-2.0-only
// What a person sees on the terminal when a run is done: the verdict, what got worse, a line for
// each cell, and where the reports are. Never more than a screen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr std::size_t summary_lines = 24;

struct SummaryOptions {
    bool colour = false;
    std::size_t columns = 80;
    std::vector<std::string> reports; // paths, a line each at the end
};

// At most summary_lines lines, of which each report takes one.
std::string summary(const RunResult& run, const Comparison& comparison,
                    const SummaryOptions& options);

} // namespace kmatrix

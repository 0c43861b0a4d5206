// SPDX-License-Identifier: GPL-2.0-only
// A comparison as plain text for people: the verdict first, what got worse with the lines that
// matter, then each cell: builds, boots, tests, latency.
#pragma once

#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

struct TextOptions {
    // Also the samples as run-proc-vs-map.sh --rawdata prints them: three columns, each sorted on
    // its own, so that a row is no sample.
    bool thread_layout = false;
};

std::string text_report(const RunResult& run, const Comparison& comparison,
                        const TextOptions& options = {});

} // namespace kmatrix

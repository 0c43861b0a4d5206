// SPDX-License-Identifier: GPL-2.0-only
// A comparison as one HTML page that needs nothing else: no script, no other file, no network. It
// reads in a text browser and on paper as well, and is light or dark as the reader's system is.
#pragma once

#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"
#include "results/reports/pictures.h"

namespace kmatrix {

// To stand in the run's directory: its links to logs are relative to that. A benchmark's picture
// that is not among `drawings`, or could not be drawn, is named in words.
std::string html_report(const RunResult& run, const Comparison& comparison,
                        const std::vector<Drawing>& drawings);

} // namespace kmatrix

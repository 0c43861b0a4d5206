// SPDX-License-Identifier: GPL-2.0-only
// Every report of a run, written where the store wants them.
#pragma once

#include "base/error.h"
#include "results/comparison/comparison.h"
#include "results/store.h"

namespace kmatrix {

// Compares, and writes junit.xml, report.txt, report.html, report.json and each cell's result.json.
Result<Comparison> write_reports(const Store& store, const RunResult& run);

} // namespace kmatrix

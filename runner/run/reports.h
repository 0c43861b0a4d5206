// SPDX-License-Identifier: GPL-2.0-only
// Every report of a run, written where the store wants them, and that for the terminal.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "results/comparison/comparison.h"
#include "results/store.h"

namespace kmatrix {

// Compares, and writes junit.xml, report.txt, report.html, report.json and each cell's result.json.
Result<Comparison> write_reports(const Store& store, const RunResult& run);

// What a terminal shows of it at the end, with where the reports in `directory` are, and the time
// that it took (spent_text(), runner/run/spent.h) where that is known.
std::string terminal_summary(const RunResult& run, const Comparison& comparison,
                             const std::filesystem::path& directory, const std::string& time = "");

} // namespace kmatrix

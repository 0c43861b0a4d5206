// SPDX-License-Identifier: GPL-2.0-only
// What a reply to a series says, piece by piece, as lines of at most reply_width columns.
#pragma once

#include <cstddef>
#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr std::size_t reply_width = 75;

// What was run, and on what.
std::string method_text(const RunResult& run);
// How the kernels boot and what the tests say.
std::string boots_and_tests_text(const RunResult& run, const Comparison& comparison);
// One table, with a line over it that says what it shows.
std::string reply_table(const Comparison& comparison, const LatencyComparison& latency);
// How the tables are to be read; empty where there are none.
std::string table_note(const RunResult& run, const Comparison& comparison);

// "On Mon, 30 Nov 2026 18:08:02 +0000, A Developer wrote:" and the first paragraph of what they
// wrote, at most `lines` lines. Empty where there is nothing to quote.
std::string quote(const Letter& letter, std::size_t lines);

} // namespace kmatrix

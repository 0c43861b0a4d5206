// SPDX-License-Identifier: GPL-2.0-only
// What went wrong, as a reply to a series tells it, and whose patch it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr std::size_t most_excerpt_lines = 30;

// The patch (from 1) that alone can be behind whatever the patched kernel does worse: both kernels
// run the same programs, so it is the one patch that changes more than tests and documentation.
// None where there are several, or where the run does not say what they change.
std::optional<std::size_t> guilty_patch(const SeriesInfo& series);

// The first regression with its lines, its configuration and how to see it again; then the others,
// a line each. `comparison` has at least one.
std::string findings_text(const RunResult& run, const Comparison& comparison);

// The regressions that keep nobody from a good word, a line each; empty where there are none.
std::string minor_findings_text(const Comparison& comparison);

} // namespace kmatrix

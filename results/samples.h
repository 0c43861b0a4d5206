// SPDX-License-Identifier: GPL-2.0-only
// The figures that a benchmark printed. A sample of which a part did not run is an error and never
// a number: a scanner that failed to start looks like a fast kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/model.h"

namespace kmatrix {

struct Samples {
    std::vector<Sample> samples; // in the order run; empty if there is an error
    std::string error;           // why this boot gives no figures; empty if it does
};

// More than this share (or on few pages, what chance makes) between the VMAs at the samples' starts
// and ends, and they measured address spaces that cannot be compared.
inline constexpr double vmas_margin = 0.05;

// What procfs-latency printed on its standard output (images/guest/latency/report.h has the
// format). Errors: its own; no setup, end or whole record; other than `asked` samples, or not in
// order; no mmap or munmap calls, scans or busy loops in one; figures that contradict each other;
// VMAs further apart than vmas_margin allows, except in an address space that was not fragmented
// beforehand (`fragment = false`): that one is meant to drift.
Samples read_samples(std::string_view output, int asked);

// The figures of a user's own benchmark: each match of the regular expression (Boost.Regex, Perl's
// syntax, within a line) is a sample, its group 1 the figure in ms, which is mean and maximum in
// one. What was not measured stays 0: there are no calls, no percentiles, no histogram. Errors: no
// group 1 or another fault of the pattern, no match, a match that is no number or negative.
Samples figures_by_pattern(std::string_view output, const std::string& pattern);

} // namespace kmatrix

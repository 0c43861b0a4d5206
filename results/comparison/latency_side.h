// SPDX-License-Identifier: GPL-2.0-only
// From the samples of one side's boots to the figures that are compared.
#pragma once

#include <vector>

#include "results/comparison/latency.h"

namespace kmatrix {

// `unit`: what the figures were rounded to, or 0. A boot gives a figure if it completed, its agent
// found no fault with its samples, all that were asked for are there, each shows that its scanner
// and its busy task ran, and each mean is a number. Nothing else is ever left out:
// - a mean of 0 is taken for half a unit (it was rounded down); without a unit it is no number;
// - a sample in which not one call finished is taken for its whole length, which is less than the
//   call would have taken.
LatencySide measure(const std::vector<const BootResult*>& boots, const Benchmark& benchmark,
                    double unit);

// The logarithms of the boots' figures.
std::vector<double> logs(const LatencySide& side);

} // namespace kmatrix

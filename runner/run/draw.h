// SPDX-License-Identifier: GPL-2.0-only
// Pictures drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "results/reports/pictures.h"

namespace kmatrix {

// One for each, in their order. Never fails as a whole: what could not be drawn says why. `gnuplot`
// is looked up in PATH.
std::vector<Drawing> draw(const std::vector<Picture>& pictures,
                          const std::string& gnuplot = "gnuplot");

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Logarithmic axes for pictures: how far they reach, and where their marks stand.
#pragma once

#include <string>
#include <vector>

namespace kmatrix {

struct Axis {
    double low = 1;
    double high = 10;
    std::vector<double> marks; // within low..high, ascending, at least two
};

// Covers all values that are finite and above 0, with a little room at both ends. Marks stand at
// powers of ten, at 1, 2 and 5 times those where fewer decades are covered, at even steps where it
// is less than a factor of 8. Without any such value: 1 to 10.
Axis log_axis(const std::vector<double>& values);

// "20 ns", "1.5 \u00b5s", "10 ms", "2 s".
std::string time_label(double ms);

// The marks as gnuplot's tics: ("1 ms" 1, "10 ms" 10).
std::string time_tics(const Axis& axis);
std::string number_tics(const Axis& axis);

} // namespace kmatrix

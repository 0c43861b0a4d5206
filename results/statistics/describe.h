// SPDX-License-Identifier: GPL-2.0-only
// What a handful of numbers looks like. Nothing here draws a conclusion.
// Of no values every one of these is NaN, and so is the variance of one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kmatrix::statistics {

double mean(std::span<const double> values);

// Sample variance, divisor n - 1.
double variance(std::span<const double> values);

// The middle value, or the mean of the two in the middle.
double median(std::span<const double> values);

// The quantile at `probability` (0 to 1), interpolated: type 7 of R. J. Hyndman and Y. Fan, "Sample
// Quantiles in Statistical Packages", The American Statistician 50 (1996) 361-365, R's default.
double quantile(std::span<const double> values, double probability);

// Median absolute deviation from the median, unscaled.
double median_absolute_deviation(std::span<const double> values);

// Indices of the values that stand apart: modified z-score above 3.5, after B. Iglewicz and
// D. Hoaglin, "How to Detect and Handle Outliers" (ASQC, 1993). Where more than half of the values
// are equal (deviation 0), the mean absolute deviation takes its place, as they propose. Fewer than
// four values have no outliers. They are for flagging: no figure is ever left out for being one.
std::vector<std::size_t> outliers(std::span<const double> values);

// The unit that figures were rounded to: the largest of 1, 0.1, ... 1e-9 of which every value is a
// whole multiple; 0 if there is none (full doubles), or no value is other than zero.
double unit_of(std::span<const double> values);

} // namespace kmatrix::statistics

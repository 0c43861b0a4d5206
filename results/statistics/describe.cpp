// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/describe.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace kmatrix::statistics {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

double mean(std::span<const double> values) {
    if (values.empty())
        return nan;
    // Exactly equal values must give exactly that mean, so that their variance is exactly zero.
    const double first = values.front();
    double above = 0;
    for (const double value : values)
        above += value - first;
    return first + above / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
    if (values.size() < 2)
        return nan;
    const double centre = mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - centre) * (value - centre);
    return sum / static_cast<double>(values.size() - 1);
}

double median(std::span<const double> values) {
    return quantile(values, 0.5);
}

double quantile(std::span<const double> values, double probability) {
    assert(probability >= 0 && probability <= 1);
    if (values.empty())
        return nan;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double place = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 >= sorted.size())
        return sorted.back();
    return sorted[below] +
           (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

double median_absolute_deviation(std::span<const double> values) {
    const double centre = median(values);
    std::vector<double> deviations;
    deviations.reserve(values.size());
    for (const double value : values)
        deviations.push_back(std::abs(value - centre));
    return median(deviations);
}

std::vector<std::size_t> outliers(std::span<const double> values) {
    if (values.size() < 4)
        return {};
    const double centre = median(values);
    // Both are the standard deviation of a normal distribution.
    double scale = median_absolute_deviation(values) / 0.6745;
    if (scale == 0) {
        double sum = 0;
        for (const double value : values)
            sum += std::abs(value - centre);
        scale = 1.253314 * sum / static_cast<double>(values.size());
    }
    std::vector<std::size_t> apart;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::abs(values[i] - centre) > 3.5 * scale)
            apart.push_back(i);
    return apart;
}

double unit_of(std::span<const double> values) {
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; }))
        return 0;
    for (int digits = 0; digits <= 9; ++digits) {
        const double scale = std::pow(10.0, digits);
        const bool whole = std::all_of(values.begin(), values.end(), [scale](double value) {
            const double units = value * scale;
            // Above 2^40 units a double has too few digits left to tell.
            return std::abs(units) < 0x1p40 && std::abs(units - std::round(units)) < 1e-4;
        });
        if (whole)
            return 1 / scale;
    }
    return 0;
}

} // namespace kmatrix::statistics

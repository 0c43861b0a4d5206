// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

constexpr double room = 0.06; // at either end, of the axis's length
constexpr double narrowest = 1.02;
// Beyond these a value is a broken one, and is drawn at the edge.
constexpr double least = 1e-9;
constexpr double most = 1e9;
constexpr double marks_wanted = 5;

// Multiples of a power of ten, in the range.
std::vector<double> marks_at(const std::vector<double>& multiples, double low, double high) {
    std::vector<double> marks;
    const int last = static_cast<int>(std::floor(std::log10(high)));
    for (int power = static_cast<int>(std::floor(std::log10(low))); power <= last; ++power)
        for (const double multiple : multiples) {
            const double mark = multiple * std::pow(10, power);
            if (mark >= low && mark <= high)
                marks.push_back(mark);
        }
    return marks;
}

std::vector<double> even_marks(double low, double high) {
    const double rough = (high - low) / marks_wanted;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double multiple : {5.0, 2.0, 1.0})
        if (multiple * power >= rough)
            step = multiple * power;
    std::vector<double> marks;
    for (double nth = std::ceil(low / step); nth * step <= high; ++nth)
        marks.push_back(nth * step);
    return marks;
}

std::string tics(const std::vector<double>& marks, std::string (*label)(double)) {
    std::vector<std::string> all;
    all.reserve(marks.size());
    for (const double mark : marks)
        all.push_back(fmt::format("\"{}\" {:.9g}", label(mark), mark));
    return "(" + join(all, ", ") + ")";
}

std::string number_label(double number) {
    return fmt::format("{:.4g}", number);
}

} // namespace

Axis log_axis(const std::vector<double>& values) {
    double low = 0;
    double high = 0;
    for (double value : values) {
        if (!std::isfinite(value) || value <= 0)
            continue;
        value = std::clamp(value, least, most);
        low = low == 0 ? value : std::min(low, value);
        high = std::max(high, value);
    }
    if (low == 0) {
        low = 1;
        high = 10;
    }
    const double widening = std::max(std::pow(high / low, room), narrowest);
    Axis axis{low / widening, high * widening, {}};
    const double decades = std::log10(axis.high / axis.low);
    if (decades > 2.5)
        axis.marks = marks_at({1}, axis.low, axis.high);
    else if (axis.high / axis.low >= 8)
        axis.marks = marks_at({1, 2, 5}, axis.low, axis.high);
    else
        axis.marks = even_marks(axis.low, axis.high);
    return axis;
}

std::string time_label(double ms) {
    const double ns = 1e6 * ms;
    return ns < 999.5     ? fmt::format("{:.4g} ns", ns)
           : ns < 999.5e3 ? fmt::format("{:.4g} \u00b5s", ns / 1e3)
           : ns < 999.5e6 ? fmt::format("{:.4g} ms", ns / 1e6)
                          : fmt::format("{:.4g} s", ns / 1e9);
}

std::string time_tics(const Axis& axis) {
    return tics(axis.marks, time_label);
}

std::string number_tics(const Axis& axis) {
    return tics(axis.marks, number_label);
}

} // namespace kmatrix

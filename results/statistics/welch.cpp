// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/welch.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "results/statistics/describe.h"

namespace kmatrix::statistics {

namespace {

// P(T > t).
double upper_tail(const Welch& test, double limit) {
    const double distance = test.difference - limit;
    if (test.standard_error == 0)
        return distance > 0 ? 0 : 1;
    const boost::math::students_t distribution(test.degrees);
    return boost::math::cdf(boost::math::complement(distribution, distance / test.standard_error));
}

} // namespace

double Welch::p(double expected) const {
    const double distance = std::abs(difference - expected);
    if (standard_error == 0)
        return distance > 0 ? 0 : 1;
    const boost::math::students_t distribution(degrees);
    return std::min(1.0, 2 * boost::math::cdf(
                                 boost::math::complement(distribution, distance / standard_error)));
}

double Welch::p_above(double limit) const {
    return upper_tail(*this, limit);
}

double Welch::p_below(double limit) const {
    return upper_tail({-difference, standard_error, degrees}, -limit);
}

Interval Welch::interval(double level) const {
    assert(level > 0 && level < 1);
    if (standard_error == 0)
        return {difference, difference};
    const boost::math::students_t distribution(degrees);
    const double reach =
        standard_error *
        boost::math::quantile(boost::math::complement(distribution, (1 - level) / 2));
    return {difference - reach, difference + reach};
}

std::optional<Welch> welch(std::span<const double> a, std::span<const double> b,
                           double variance_floor_a, double variance_floor_b) {
    if (a.size() < 2 || b.size() < 2)
        return std::nullopt;
    const auto count_a = static_cast<double>(a.size());
    const auto count_b = static_cast<double>(b.size());
    const double part_a = std::max(variance(a), variance_floor_a) / count_a;
    const double part_b = std::max(variance(b), variance_floor_b) / count_b;
    const double square = part_a + part_b;
    Welch test;
    test.difference = mean(b) - mean(a);
    test.standard_error = std::sqrt(square);
    test.degrees = count_a + count_b - 2;
    if (square > 0)
        test.degrees =
            square * square / (part_a * part_a / (count_a - 1) + part_b * part_b / (count_b - 1));
    return test;
}

double equivalence_p(const Welch& test, double margin) {
    return std::max(test.p_above(-margin), test.p_below(margin));
}

} // namespace kmatrix::statistics

// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/power.h"

#include <cassert>
#include <cmath>

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace kmatrix::statistics {

double power_of(std::size_t count, double difference, double deviation, double alpha) {
    assert(count >= 2 && deviation >= 0 && alpha > 0 && alpha < 1);
    if (deviation == 0)
        return difference == 0 ? 0 : 1;
    const double degrees = 2 * static_cast<double>(count) - 2;
    const double distance =
        std::abs(difference) / deviation * std::sqrt(static_cast<double>(count) / 2);
    const boost::math::students_t nothing_changed(degrees);
    const double critical =
        boost::math::quantile(boost::math::complement(nothing_changed, alpha / 2));
    // Beyond any doubt; the series for the non-central distribution lose their way out there.
    if (distance > critical + 30)
        return 1;
    const boost::math::non_central_t changed(degrees, distance);
    return boost::math::cdf(boost::math::complement(changed, critical));
}

std::optional<std::size_t> count_to_see(double difference, double deviation, double power,
                                        double alpha) {
    std::size_t too_few = 1;
    std::size_t enough = 2;
    while (power_of(enough, difference, deviation, alpha) < power) {
        if (enough == most_boots)
            return std::nullopt;
        too_few = enough;
        enough = enough * 2 > most_boots ? most_boots : enough * 2;
    }
    while (enough - too_few > 1) {
        const std::size_t middle = (too_few + enough) / 2;
        (power_of(middle, difference, deviation, alpha) < power ? too_few : enough) = middle;
    }
    return enough;
}

} // namespace kmatrix::statistics

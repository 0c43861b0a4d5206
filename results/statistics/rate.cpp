// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/rate.h"

#include <algorithm>
#include <cassert>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <fmt/format.h>

namespace kmatrix::statistics {

namespace {

using boost::math::binomial;

// `tail`: the probability that is left beyond the bound.
double lower_bound(std::size_t hits, std::size_t trials, double tail) {
    return hits == 0 ? 0
                     : binomial::find_lower_bound_on_p(static_cast<double>(trials),
                                                       static_cast<double>(hits), tail);
}

double upper_bound(std::size_t hits, std::size_t trials, double tail) {
    return hits == trials ? 1
                          : binomial::find_upper_bound_on_p(static_cast<double>(trials),
                                                            static_cast<double>(hits), tail);
}

std::string percent(double part) {
    const double value = 100 * part;
    return value < 10 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

} // namespace

Interval clopper_pearson(std::size_t hits, std::size_t trials, double level) {
    assert(hits <= trials && level > 0 && level < 1);
    if (trials == 0)
        return {0, 1};
    const double tail = (1 - level) / 2;
    return {lower_bound(hits, trials, tail), upper_bound(hits, trials, tail)};
}

Rate rate(std::size_t hits, std::size_t trials) {
    assert(hits <= trials);
    Rate result{hits, trials, {0, 1}};
    if (trials == 0)
        return result;
    const bool one_sided = hits == 0 || hits == trials;
    const double tail = one_sided ? 0.05 : 0.025;
    result.bounds = {lower_bound(hits, trials, tail), upper_bound(hits, trials, tail)};
    return result;
}

std::string text(const Rate& rate) {
    if (rate.trials == 0)
        return "not run";
    const std::string count = fmt::format("{} of {}, ", rate.hits, rate.trials);
    if (rate.hits == 0)
        return count + fmt::format("below {} at 95 %", percent(rate.bounds.high));
    if (rate.hits == rate.trials)
        return count + fmt::format("above {} at 95 %", percent(rate.bounds.low));
    return count +
           fmt::format("{} to {} at 95 %", percent(rate.bounds.low), percent(rate.bounds.high));
}

double fisher_greater_p(std::size_t hits_a, std::size_t trials_a, std::size_t hits_b,
                        std::size_t trials_b) {
    assert(hits_a <= trials_a && hits_b <= trials_b);
    const std::size_t hits = hits_a + hits_b;
    const std::size_t trials = trials_a + trials_b;
    // The fewest hits that b can have: a holds no more than trials_a of them.
    const std::size_t least = hits > trials_a ? hits - trials_a : 0;
    if (trials_a == 0 || trials_b == 0 || hits_b == least)
        return 1;
    const boost::math::hypergeometric distribution(static_cast<unsigned>(hits),
                                                   static_cast<unsigned>(trials_b),
                                                   static_cast<unsigned>(trials));
    return std::min(1.0, boost::math::cdf(boost::math::complement(
                             distribution, static_cast<unsigned>(hits_b - 1))));
}

} // namespace kmatrix::statistics

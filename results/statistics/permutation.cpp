// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "results/statistics/describe.h"

namespace kmatrix::statistics {

namespace {

// C(n, k), as a double: it may be large, and only its size matters then.
double ways_to_choose(std::size_t n, std::size_t k) {
    double ways = 1;
    for (std::size_t i = 1; i <= k; ++i)
        ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
    return std::round(ways);
}

// Given the values centred on their common mean, the difference of the means of two groups is
// proportional to the sum of one of them.
std::size_t count_exact(const std::vector<double>& centred, std::size_t chosen, double threshold) {
    std::vector<std::size_t> picks(chosen);
    std::iota(picks.begin(), picks.end(), 0);
    std::size_t hits = 0;
    for (;;) {
        double sum = 0;
        for (const std::size_t pick : picks)
            sum += centred[pick];
        if (std::abs(sum) >= threshold)
            ++hits;
        // The next combination in lexicographic order.
        std::size_t place = chosen;
        while (place > 0 && picks[place - 1] == centred.size() - chosen + place - 1)
            --place;
        if (place == 0)
            return hits;
        ++picks[place - 1];
        for (std::size_t i = place; i < chosen; ++i)
            picks[i] = picks[i - 1] + 1;
    }
}

// A number below `limit`, each as likely. std::uniform_int_distribution gives other numbers with
// another standard library.
std::size_t below(std::mt19937_64& engine, std::size_t limit) {
    const std::uint64_t fair = std::mt19937_64::max() - std::mt19937_64::max() % limit;
    std::uint64_t draw = engine();
    while (draw >= fair)
        draw = engine();
    return draw % limit;
}

std::size_t count_drawn(std::vector<double> centred, std::size_t chosen, double threshold,
                        std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::size_t hits = 0;
    for (std::size_t draw = 0; draw < permutation_limit; ++draw) {
        double sum = 0;
        for (std::size_t i = 0; i < chosen; ++i) {
            std::swap(centred[i], centred[i + below(engine, centred.size() - i)]);
            sum += centred[i];
        }
        if (std::abs(sum) >= threshold)
            ++hits;
    }
    return hits;
}

} // namespace

std::optional<Permutation> permutation_test(std::span<const double> a, std::span<const double> b,
                                            std::uint64_t seed) {
    if (a.empty() || b.empty())
        return std::nullopt;
    std::vector<double> values(a.begin(), a.end());
    values.insert(values.end(), b.begin(), b.end());
    const double centre = mean(values);
    double size = 0;
    for (double& value : values) {
        value -= centre;
        size += std::abs(value);
    }
    double observed = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        observed += values[i];
    // Sums of the same values in another order may differ in their last bits: those are ties.
    const double threshold = std::abs(observed) - 1e-12 * size;

    const double splits = ways_to_choose(values.size(), a.size());
    if (splits <= static_cast<double>(permutation_limit))
        return Permutation{static_cast<double>(count_exact(values, a.size(), threshold)) / splits,
                           true};
    const std::size_t hits = count_drawn(std::move(values), a.size(), threshold, seed);
    return Permutation{static_cast<double>(1 + hits) / static_cast<double>(1 + permutation_limit),
                       false};
}

double smallest_permutation_p(std::size_t count_a, std::size_t count_b) {
    if (count_a == 0 || count_b == 0)
        return 1;
    const double splits = ways_to_choose(count_a + count_b, count_a);
    return std::min(1.0, (count_a == count_b ? 2 : 1) / splits);
}

} // namespace kmatrix::statistics

// SPDX-License-Identifier: GPL-2.0-only
#include "results/statistics/holm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace kmatrix::statistics {

std::vector<double> holm(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [p](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double largest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
        adjusted[order[i]] = largest;
    }
    return adjusted;
}

} // namespace kmatrix::statistics

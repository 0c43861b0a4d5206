// SPDX-License-Identifier: GPL-2.0-only
// How many boots it takes.
#pragma once

#include <cstddef>
#include <optional>

namespace kmatrix::statistics {

inline constexpr double usual_power = 0.8;
inline constexpr std::size_t most_boots = 10'000;

// The probability that Student's two-sided two-sample t test at `alpha`, with `count` values a side
// of standard deviation `deviation`, sees a true difference of `difference`: from the non-central t
// distribution (J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd ed. 1988,
// ch. 2; the tail on the wrong side left out, as R's power.t.test does).
double power_of(std::size_t count, double difference, double deviation, double alpha = 0.05);

// The fewest values a side that give this power; at least 2; none if `most_boots` are not enough.
std::optional<std::size_t> count_to_see(double difference, double deviation,
                                        double power = usual_power, double alpha = 0.05);

} // namespace kmatrix::statistics

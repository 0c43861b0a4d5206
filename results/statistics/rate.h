// SPDX-License-Identifier: GPL-2.0-only
// How often something happened, and what that says of how often it happens.
#pragma once

#include <cstddef>
#include <string>

#include "results/statistics/welch.h"

namespace kmatrix::statistics {

// C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the
// Case of the Binomial", Biometrika 26 (1934) 404-413: the exact two-sided interval of a
// probability after `hits` in `trials`. 0..1 of no trials.
Interval clopper_pearson(std::size_t hits, std::size_t trials, double level = 0.95);

// A rate with its bounds at 95 %. Where nothing or everything happened, one bound is known (0 or 1)
// and the other is one-sided: 0 of 200 is below 1.5 % (about 3/n).
struct Rate {
    std::size_t hits = 0;
    std::size_t trials = 0;
    Interval bounds{0, 1};
};

Rate rate(std::size_t hits, std::size_t trials);

// "0 of 200, below 1.5 % at 95 %"; "3 of 41, 1.5 % to 20 % at 95 %"; "7 of 7, above 65 % at 95 %";
// "not run" of no trials.
std::string text(const Rate& rate);

// The one-sided exact test of R. A. Fisher ("The Logic of Inductive Inference", JRSS 98 (1935)
// 39-82): the probability that `b` has so many of all the hits, or more, if a hit is as likely on
// both sides (hypergeometric). 1 if a side has no trials.
double fisher_greater_p(std::size_t hits_a, std::size_t trials_a, std::size_t hits_b,
                        std::size_t trials_b);

} // namespace kmatrix::statistics

// SPDX-License-Identifier: GPL-2.0-only
// The difference of two means whose variances need not be equal.
#pragma once

#include <optional>
#include <span>

namespace kmatrix::statistics {

struct Interval {
    double low = 0;
    double high = 0;
};

// B. L. Welch, "The generalization of 'Student's' problem when several different population
// variances are involved", Biometrika 34 (1947) 28-35; degrees of freedom after F. E.
// Satterthwaite, Biometrics Bulletin 2 (1946) 110-114:
//   SE^2 = s_a^2/n_a + s_b^2/n_b,  df = SE^4 / [(s_a^2/n_a)^2/(n_a-1) + (s_b^2/n_b)^2/(n_b-1)]
struct Welch {
    double difference = 0; // mean(b) - mean(a)
    double standard_error = 0;
    double degrees = 0; // of freedom

    // Two-sided: how likely so large a difference is where the true one is `expected`.
    double p(double expected = 0) const;
    // One-sided: of so large a difference where the true one is `limit` or less (is it above?), and
    // of so small a one where the true one is `limit` or more (is it below?).
    double p_above(double limit) const;
    double p_below(double limit) const;
    // Two-sided confidence interval of the difference; level 0.95 or 0.9.
    Interval interval(double level) const;
};

// None if either side has fewer than two values: one value has no variance. The floors are
// variances that a side has at the least, such as that of rounding. With no variance on either side
// the standard error is 0, every interval is a point, and p is 1 where the difference is as
// expected and 0 where it is not: use a permutation test there.
std::optional<Welch> welch(std::span<const double> a, std::span<const double> b,
                           double variance_floor_a = 0, double variance_floor_b = 0);

// Two one-sided tests at level alpha (D. J. Schuirmann, Journal of Pharmacokinetics and
// Biopharmaceutics 15 (1987) 657-680): p that the true difference lies outside -margin..margin.
// p < 0.05 is the same as the 90 % interval lying inside.
double equivalence_p(const Welch& test, double margin);

} // namespace kmatrix::statistics

// SPDX-License-Identifier: GPL-2.0-only
// The exact permutation test of two groups, which assumes nothing but that their members could be
// exchanged if nothing had changed. E. J. G. Pitman, "Significance Tests Which May be Applied to
// Samples From any Populations", Supplement to the JRSS 4 (1937) 119-130.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kmatrix::statistics {

inline constexpr std::size_t permutation_limit = 100'000;

struct Permutation {
    double p = 1;      // two-sided, of |mean(b) - mean(a)|; ties count as at least as large
    bool exact = true; // every way to split was tried; else `permutation_limit` seeded draws
};

// All ways to split the values if there are at most `permutation_limit` of them, else that many
// draws, where p = (1 + hits) / (1 + draws): B. Phipson and G. K. Smyth, "Permutation P-values
// Should Never Be Zero", Statistical Applications in Genetics and Molecular Biology 9 (2010) 39.
// The same seed gives the same p everywhere. None if a side is empty.
std::optional<Permutation> permutation_test(std::span<const double> a, std::span<const double> b,
                                            std::uint64_t seed = 1);

// The smallest p that so many values a side can ever give, where all of one side lie above all of
// the other: 2/C(a+b, a) for a = b, 1/C(a+b, a) for unequal sides (the mirror image of a split is
// then none). 1 if a side is empty.
double smallest_permutation_p(std::size_t count_a, std::size_t count_b);

} // namespace kmatrix::statistics

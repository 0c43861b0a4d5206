// SPDX-License-Identifier: GPL-2.0-only
// A matrix cut into parts that run on machines of their own, and are merged afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// The number-th of `of` parts, from 1; of 0: the whole.
struct Shard {
    int number = 0;
    int of = 0;

    auto operator<=>(const Shard&) const = default;
};

std::string to_string(const Shard& shard); // "2/3"; empty for the whole

// Reads "2/3". Errors: no such thing; the number is not within 1 and the count.
Result<Shard> parse_shard(std::string_view text);

// The cells of each part, as indices in the matrix's order; every cell is in exactly one, and no
// part is empty. `count` is at least 1 and at most the number of cells.
//
// Cells that share a kernel build stay together, unless the part that takes longest becomes more
// than a tenth shorter by halving them; the longest go first, each to the part that is then the
// shortest (longest processing time first: R. L. Graham, "Bounds on Multiprocessing Timing
// Anomalies", SIAM J. Appl. Math. 17 (1969) 416-429). Times are the estimate's first guesses for
// one fixed machine, so that every machine comes to the same parts.
std::vector<std::vector<std::size_t>> shards(const Matrix& matrix, std::size_t count);

// The cells of that part. Errors: more parts than cells.
Result<Matrix> narrow_to_shard(Matrix matrix, const Shard& shard);

} // namespace kmatrix

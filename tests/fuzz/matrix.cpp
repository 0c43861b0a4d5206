// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/read.h"

#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto matrix = parse_matrix(fuzz::text_of(data, size), "input.toml");
    if (!matrix) {
        fuzz::expect(matrix.error().blame == Blame::user, "a bad file is the user's");
        fuzz::expect(!matrix.error().message.empty(), "and has words");
        fuzz::expect_printable(matrix.error().message);
        return 0;
    }
    fuzz::expect(!matrix->cells.empty(), "a matrix has cells");
    fuzz::expect(!plan(*matrix).builds.empty(), "and something to build");
    return 0;
}

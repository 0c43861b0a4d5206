// SPDX-License-Identifier: GPL-2.0-only
// Choosing cells by their axes: `--only 'arch=arm64 vcpus=4,8'`, and `only` in a matrix file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"
#include "matrix/shard.h"
#include "matrix/test_id.h"

namespace kmatrix {

// Reads AXIS=VALUE[,VALUE...] AXIS=... . A value with spaces or commas stands in quotes, single or
// double: cmdline='nopti mitigations=off'. A config's path counts by its last part. Errors: an
// unknown axis, a value that the axis cannot have, an axis named twice, no axis at all.
Result<Filter> parse_filter(std::string_view text);

// The filter as parse_filter reads it: "arch=arm64 vcpus=4,8".
std::string to_string(const Filter& filter);

// What finds cells with these axes and no others.
Filter filter_of(const Axes& axes);

// The cells that match. Errors: a value that no cell has, or nothing is left; either lists the
// values there are.
Result<Matrix> narrow(Matrix matrix, const Filter& filter);

// How the cell runs this test: by the entry that names it, else by that for its whole target.
std::optional<Selftest> entry_of(const Cell& cell, const TestName& name);

// Only these tests (all of a target where `test` is empty), and no benchmark; cells that have none
// of them are left out. Errors: a test that no cell has.
Result<Matrix> narrow_to_tests(Matrix matrix, const std::vector<TestName>& tests);

// The cells that have a benchmark, without functional boots. Errors: none has one.
Result<Matrix> benchmarks_alone(Matrix matrix);

// What of a matrix is to be run; nothing said is all of it.
struct Choice {
    std::string only;               // as parse_filter reads it
    std::vector<std::string> tests; // each "TARGET:TEST" or "TARGET"
    bool only_benchmarks = false;
    Shard shard = {}; // of the cells that `only` leaves
};
// Errors as the functions above have them, and a test that is no such name.
Result<Matrix> chosen(Matrix matrix, const Choice& choice);

// "arch: x86_64, arm64; config: default; vcpus: 8; ...": the values of each axis, in order of
// appearance.
std::string axis_values_text(const std::vector<Cell>& cells);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Choosing cells by their axes: `--only 'arch=arm64 vcpus=4,8'`, and `only` in a matrix file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// Reads AXIS=VALUE[,VALUE...] AXIS=... . A value with spaces or commas stands in quotes, single or
// double: cmdline='nopti mitigations=off'. A config's path counts by its last part. Errors: an
// unknown axis, a value that the axis cannot have, an axis named twice, no axis at all.
Result<Filter> parse_filter(std::string_view text);

// The filter as parse_filter reads it: "arch=arm64 vcpus=4,8".
std::string to_string(const Filter& filter);

// The cells that match. Errors: a value that no cell has, or nothing is left; either lists the
// values there are.
Result<Matrix> narrow(Matrix matrix, const Filter& filter);

// The cells that have a benchmark, without functional boots. Errors: none has one.
Result<Matrix> benchmarks_alone(Matrix matrix);

// "arch: x86_64, arm64; config: default; vcpus: 8; ...": the values of each axis, in order of
// appearance.
std::string axis_values_text(const std::vector<Cell>& cells);

} // namespace kmatrix

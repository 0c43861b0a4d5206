// SPDX-License-Identifier: GPL-2.0-only
// The axes of a matrix by name, with their values as text. A new axis is a member of Axes, an entry
// in all_axes(), its place in cell_id(), and a row in docs/matrix.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.h"

namespace kmatrix {

struct Axis {
    std::string_view name;
    bool number; // its values are integers in TOML, otherwise strings
    std::string (*get)(const Axes& axes);
    // The value as people call it, in filters and messages: get() but for a config's paths.
    std::string (*show)(const Axes& axes);
    // Takes the value over; of a value that means nothing it returns what was expected instead.
    std::optional<std::string> (*set)(Axes& axes, const std::string& value);
};

std::span<const Axis> all_axes();
const Axis* find_axis(std::string_view name); // nullptr: there is none
std::vector<std::string> axis_names();

} // namespace kmatrix

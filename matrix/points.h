// SPDX-License-Identifier: GPL-2.0-only
// [axes], [[exclude]] and [[include]]: which points of the axes the matrix has.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "matrix/axis.h"
#include "matrix/matrix.h"
#include "matrix/toml_reader.h"

namespace kmatrix {

struct Point {
    Axes axes;
    // Where it is from, for messages: "axes" or "include", the place of the section, and for each
    // of all_axes() the place of the value that it has.
    std::string section;
    Place place;
    std::vector<Place> value_places;
    // What an include narrows its cell to; nothing: what `only` allows.
    std::optional<std::vector<Placed<std::string>>> selftests, benchmarks;
};

// Where the point's value of an axis stands.
Place value_place(const Point& point, std::string_view axis);

// Where the file stands.
struct Surroundings {
    std::filesystem::path directory; // of the matrix file; a config's paths are relative to it
    // fragments_in() kconfigs/. Nothing: the disk is not looked at, any fragment may be there.
    std::optional<std::vector<std::string>> fragments;
};

// The product of the axes (the first of all_axes() varies slowest) without what is excluded, then
// the includes. Complains of everything that is wrong with the three sections, an empty matrix
// among it.
std::vector<Point> read_points(const toml::table& root, const Surroundings& surroundings,
                               Complaints& complaints);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// How to see a result again.
#pragma once

#include <string>

#include "matrix/filter.h"
#include "runner/run/prepare.h"

namespace kmatrix {

// The command that runs the cells that `only` picks again, as a person may paste it; patches: the
// first so many of the series, 0: all.
std::string again(const Prepared& prepared, const Filter& only, int patches);

} // namespace kmatrix

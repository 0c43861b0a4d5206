// SPDX-License-Identifier: GPL-2.0-only
// What earlier runs took, kept in the XDG state folder.
#pragma once

#include "matrix/estimate.h"

namespace kmatrix {

// Nothing known, where there is no such file or it cannot be read: an estimate is all it is for.
Durations read_durations();
void write_durations(const Durations& durations);

} // namespace kmatrix

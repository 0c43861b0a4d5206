// SPDX-License-Identifier: GPL-2.0-only
// The same thing on either side of a comparison.
#pragma once

#include "matrix/matrix.h"

namespace kmatrix {

template <class T>
struct Sides {
    T baseline{};
    T patched{};

    T& of(Kernel kernel) { return kernel == Kernel::baseline ? baseline : patched; }
    const T& of(Kernel kernel) const { return kernel == Kernel::baseline ? baseline : patched; }
};

} // namespace kmatrix

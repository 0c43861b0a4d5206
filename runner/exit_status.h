// SPDX-License-Identifier: GPL-2.0-only
// What scripts read of kmatrix (README, "Exit status").
#pragma once

namespace kmatrix {

inline constexpr int usage_status = 2;
inline constexpr int infrastructure_status = 3;

} // namespace kmatrix

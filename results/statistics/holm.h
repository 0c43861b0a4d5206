// SPDX-License-Identifier: GPL-2.0-only
// Several questions asked of one run: the more are asked, the more answers are false alarms.
#pragma once

#include <span>
#include <vector>

namespace kmatrix::statistics {

// Adjusted p values, in the order given: S. Holm, "A Simple Sequentially Rejective Multiple Test
// Procedure", Scandinavian Journal of Statistics 6 (1979) 65-70. With p_(1) <= ... <= p_(m):
//   adjusted_(i) = max over j <= i of min(1, (m - j + 1) p_(j))
std::vector<double> holm(std::span<const double> p);

} // namespace kmatrix::statistics

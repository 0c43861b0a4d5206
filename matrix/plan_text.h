// SPDX-License-Identifier: GPL-2.0-only
// What `kmatrix plan FILE` prints.
#pragma once

#include <string>
#include <vector>

#include "matrix/estimate.h"
#include "matrix/matrix.h"

namespace kmatrix {

// The cells and what runs in them, the builds that they share, the boots, the estimate, and the
// warnings (those of advice(), and what else the caller knows). Ends with a newline.
std::string plan_text(const Matrix& matrix, const Plan& plan, const Estimate& estimate,
                      const std::vector<std::string>& warnings);

} // namespace kmatrix

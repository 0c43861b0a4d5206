// SPDX-License-Identifier: GPL-2.0-only
// Two runs against each other as plain text for people: the verdict first, then each cell.
#pragma once

#include <string>

#include "results/comparison/runs.h"

namespace kmatrix {

std::string runs_text(const RunsComparison& runs);

} // namespace kmatrix

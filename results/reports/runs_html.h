// SPDX-License-Identifier: GPL-2.0-only
// Two runs against each other as one HTML page, of the same kind as a run's own (html.h): it needs
// nothing else, and says what runs_text() says.
#pragma once

#include <string>

#include "results/comparison/runs.h"

namespace kmatrix {

std::string runs_html(const RunsComparison& runs);

} // namespace kmatrix

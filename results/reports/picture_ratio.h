// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "results/reports/pictures.h"

namespace kmatrix {

std::optional<Picture> ratio_picture(const LatencyComparison& latency);

} // namespace kmatrix

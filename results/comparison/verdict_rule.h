// SPDX-License-Identifier: GPL-2.0-only
// What two tallies of failures say, for boots and for tests alike.
#pragma once

#include <optional>

#include "results/comparison/sides.h"
#include "results/statistics/rate.h"

namespace kmatrix {

enum class FailureChange { none_fails, more, fewer, always_fails, cannot_tell };

struct FailureJudgement {
    FailureChange change = FailureChange::cannot_tell;
    std::optional<double> p_more; // Fisher's, one-sided; where a side is mixed
};

// Where every run of each side ended alike, the change is plain: from never to always is more.
// Where a side is mixed, chance alone may be behind it, and Fisher's exact test decides at 0.05
// whether patched fails more often, or less often. Both sides must have runs.
FailureJudgement judge_failures(const Sides<statistics::Rate>& failing);

} // namespace kmatrix

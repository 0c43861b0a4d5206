// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/verdict_rule.h"

#include <cassert>

namespace kmatrix {

namespace {

constexpr double significant_p = 0.05;

bool never(const statistics::Rate& rate) {
    return rate.hits == 0;
}

bool always(const statistics::Rate& rate) {
    return rate.hits == rate.trials;
}

} // namespace

FailureJudgement judge_failures(const Sides<statistics::Rate>& failing) {
    const statistics::Rate& baseline = failing.baseline;
    const statistics::Rate& patched = failing.patched;
    assert(baseline.trials > 0 && patched.trials > 0);
    if (never(baseline) && never(patched))
        return {FailureChange::none_fails, std::nullopt};
    if (always(baseline) && always(patched))
        return {FailureChange::always_fails, std::nullopt};
    if (never(baseline) && always(patched))
        return {FailureChange::more, std::nullopt};
    if (always(baseline) && never(patched))
        return {FailureChange::fewer, std::nullopt};
    const double p_more =
        statistics::fisher_greater_p(baseline.hits, baseline.trials, patched.hits, patched.trials);
    const double p_fewer =
        statistics::fisher_greater_p(patched.hits, patched.trials, baseline.hits, baseline.trials);
    if (p_more < significant_p)
        return {FailureChange::more, p_more};
    if (p_fewer < significant_p)
        return {FailureChange::fewer, p_more};
    return {FailureChange::cannot_tell, p_more};
}

} // namespace kmatrix

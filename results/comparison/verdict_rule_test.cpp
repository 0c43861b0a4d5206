// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/verdict_rule.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

using statistics::rate;

FailureJudgement judge(std::size_t baseline_hits, std::size_t baseline_trials,
                       std::size_t patched_hits, std::size_t patched_trials) {
    return judge_failures(
        {rate(baseline_hits, baseline_trials), rate(patched_hits, patched_trials)});
}

TEST(JudgeFailures, UnmixedSidesArePlain) {
    EXPECT_EQ(judge(0, 1, 0, 1).change, FailureChange::none_fails);
    EXPECT_EQ(judge(0, 1, 1, 1).change, FailureChange::more);
    EXPECT_EQ(judge(1, 1, 0, 1).change, FailureChange::fewer);
    EXPECT_EQ(judge(2, 2, 3, 3).change, FailureChange::always_fails);
    EXPECT_FALSE(judge(0, 1, 1, 1).p_more);
}

// Fisher's p as in results/statistics/rate_test.cpp.
TEST(JudgeFailures, OneFlakeAmongTwoIsNoMoreThanChance) {
    EXPECT_EQ(judge(0, 2, 1, 2).change, FailureChange::cannot_tell);
    EXPECT_NEAR(*judge(0, 2, 1, 2).p_more, 0.5, 1e-12);
    EXPECT_EQ(judge(1, 3, 3, 3).change, FailureChange::cannot_tell);
}

TEST(JudgeFailures, ManyFailuresAmongManyRunsAreMore) {
    EXPECT_EQ(judge(0, 200, 5, 200).change, FailureChange::more);
    EXPECT_NEAR(*judge(0, 200, 5, 200).p_more, 0.030469751204206991, 1e-12);
    EXPECT_EQ(judge(5, 200, 0, 200).change, FailureChange::fewer);
    EXPECT_EQ(judge(0, 200, 4, 200).change, FailureChange::cannot_tell);
}

} // namespace
} // namespace kmatrix

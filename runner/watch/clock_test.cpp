// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/clock.h"

#include <gtest/gtest.h>

namespace kmatrix::watch {
namespace {

TEST(NextPoll, ComesAfterTheIntervalAndUpToATenthLater) {
    EXPECT_EQ(next_poll_s({0, "", 10'000, 0}, 900, 0), 10'900);
    EXPECT_EQ(next_poll_s({0, "", 10'000, 0}, 900, 0.5), 10'945);
    EXPECT_EQ(next_poll_s({0, "", 10'000, 0}, 900, 1), 10'990);
}

TEST(NextPoll, BacksOffUpToSixHours) {
    EXPECT_EQ(next_poll_s({0, "", 0, 1}, 900, 0), 1800);
    EXPECT_EQ(next_poll_s({0, "", 0, 2}, 900, 0), 3600);
    EXPECT_EQ(next_poll_s({0, "", 0, 4}, 900, 0), 14'400);
    EXPECT_EQ(next_poll_s({0, "", 0, 5}, 900, 0), 21'600);
    EXPECT_EQ(next_poll_s({0, "", 0, 1'000'000}, 900, 0), 21'600);
    EXPECT_EQ(next_poll_s({0, "", 0, 3}, 86'400, 0), 86'400); // never earlier than asked for
}

} // namespace
} // namespace kmatrix::watch

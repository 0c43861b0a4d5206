// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/deadlines.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using namespace std::chrono_literals;

TEST(Deadlines, GrowWithTheNumberOfEmulatedCpus) {
    EXPECT_EQ(deadlines(Accel::tcg, 8, 0).boot, 180s);
    EXPECT_EQ(deadlines(Accel::tcg, 8, 0).boot_silence, 80s);
    EXPECT_EQ(deadlines(Accel::tcg, 48, 0).boot, 580s);
    EXPECT_LT(deadlines(Accel::kvm, 48, 0).boot, deadlines(Accel::tcg, 1, 0).boot);
}

TEST(Deadlines, ManyTimesWhatWasMeasured) {
    // Seconds until the agent spoke: x86_64 on two idle host CPUs, and arm64's worst.
    EXPECT_GT(deadlines(Accel::tcg, 8, 0).boot, 20 * 3s);
    EXPECT_GT(deadlines(Accel::tcg, 24, 0).boot, 10 * 31s);
    EXPECT_GT(deadlines(Accel::tcg, 48, 0).boot, 5 * 100s);
}

TEST(Deadlines, SilenceIsShorterThanTheWholeBoot) {
    for (const int vcpus : {1, 4, 8, 24, 64})
        for (const Accel accel : {Accel::kvm, Accel::tcg}) {
            const Deadlines limits = deadlines(accel, vcpus, 0);
            EXPECT_LT(limits.boot_silence, limits.boot) << vcpus;
            EXPECT_LT(limits.boot, limits.total) << vcpus;
        }
}

TEST(Deadlines, TotalHoldsAllJobsAtTheirLimits) {
    // 60 + 8 (boot) + 60 (between) + 30 (off) + 1.1 * 100 (jobs)
    EXPECT_EQ(deadlines(Accel::kvm, 8, 100).total, 268s);
    EXPECT_EQ(deadlines(Accel::tcg, 8, 300).total - deadlines(Accel::tcg, 8, 200).total, 110s);
}

} // namespace
} // namespace kmatrix

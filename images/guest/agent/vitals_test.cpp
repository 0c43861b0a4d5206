// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/vitals.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace kmatrix::guest {
namespace {

TEST(Vitals, Memory) {
    EXPECT_EQ(memory_kib_of("MemTotal:        2030852 kB\nMemFree: 5 kB\n"), 2030852);
    EXPECT_EQ(memory_kib_of("MemFree: 5 kB\n"), 0);
}

TEST(Vitals, Hz) {
    EXPECT_EQ(hz_of("CONFIG_HZ_250=y\n# CONFIG_HZ_1000 is not set\nCONFIG_HZ=250\n"), 250);
    EXPECT_EQ(hz_of(""), 0);
}

TEST(Vitals, PreemptionOfARunningDynamicKernelWins) {
    EXPECT_EQ(preemption_of("none voluntary full (lazy)\n",
                            "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT=y\n", "preempt=full", ""),
              "lazy");
}

TEST(Vitals, PreemptionByConfigAndCommandLine) {
    EXPECT_EQ(preemption_of("", "CONFIG_PREEMPT_NONE=y\n", "preempt=full", ""), "none");
    EXPECT_EQ(preemption_of("", "CONFIG_PREEMPT_VOLUNTARY=y\n", "", ""), "voluntary");
    EXPECT_EQ(preemption_of("", "CONFIG_PREEMPT_NONE_BUILD=y\nCONFIG_PREEMPT=y\n", "", ""), "full");
    EXPECT_EQ(preemption_of("", "# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_LAZY=y\n", "", ""),
              "lazy");
    EXPECT_EQ(preemption_of("", "CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT=y\n",
                            "quiet preempt=none preempt=lazy\n", ""),
              "lazy");
    EXPECT_EQ(preemption_of("", "CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT=y\n", "", ""), "rt");
}

TEST(Vitals, PreemptionIsUnknownWhereNothingTells) {
    EXPECT_EQ(preemption_of("", "", "", "#1 SMP PREEMPT_RT Mon"), "rt");
    EXPECT_EQ(preemption_of("", "", "", "#1 SMP PREEMPT_DYNAMIC Mon"), "unknown");
    EXPECT_EQ(preemption_of("", "", "", "#1 SMP Mon"), "unknown");
}

TEST(Vitals, OfThisMachine) {
    const Vitals vitals = gather_vitals();
    utsname name{};
    ASSERT_EQ(uname(&name), 0);
    EXPECT_EQ(vitals.release, name.release);
    EXPECT_EQ(vitals.machine, name.machine);
    EXPECT_EQ(vitals.vcpus_online, sysconf(_SC_NPROCESSORS_ONLN));
    EXPECT_GT(vitals.memory_kib, 100'000);
    EXPECT_EQ(vitals.page_size_bytes, getpagesize());
    EXPECT_EQ(vitals.cmdline.find('\n'), std::string::npos);
}

} // namespace
} // namespace kmatrix::guest

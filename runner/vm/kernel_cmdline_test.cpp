// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/kernel_cmdline.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(KernelCmdline, ConsoleIsTheFirstSerialPortOfTheMachine) {
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::tcg, ""), StartsWith("console=ttyS0,115200 "));
    EXPECT_THAT(kernel_cmdline(Arch::arm64, Accel::tcg, ""), StartsWith("console=ttyAMA0 "));
}

TEST(KernelCmdline, PanicEndsTheMachine) {
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::kvm, ""), HasSubstr(" panic=-1"));
}

TEST(KernelCmdline, WatchdogsAreStretchedUnderEmulationOnly) {
    EXPECT_THAT(kernel_cmdline(Arch::arm64, Accel::tcg, ""),
                HasSubstr(" rcupdate.rcu_cpu_stall_timeout=300 "));
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::kvm, ""), Not(HasSubstr("stall_timeout")));
}

TEST(KernelCmdline, UsersWordsComeLast) {
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::tcg, " panic=5 nosmt\n"),
                EndsWith("420 panic=5 nosmt"));
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::kvm, "  "), EndsWith("panic=-1"));
}

TEST(KernelCmdline, NothingSilencesTheKernel) {
    EXPECT_THAT(kernel_cmdline(Arch::x86_64, Accel::kvm, ""), Not(HasSubstr("quiet")));
}

} // namespace
} // namespace kmatrix

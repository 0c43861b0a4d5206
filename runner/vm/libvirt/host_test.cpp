// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/host.h"

#include <gmock/gmock.h>

namespace kmatrix::libvirt {
namespace {

TEST(Host, CpuName) {
    EXPECT_EQ(cpu_name("processor\t: 0\nmodel\t\t: 143\nmodel name\t: Some CPU @ 2.00GHz\n\n"
                       "processor\t: 1\nmodel name\t: Another\n"),
              "Some CPU @ 2.00GHz");
    EXPECT_EQ(cpu_name("processor\t: 0\nBogoMIPS\t: 50.00\n"), "");
}

TEST(Host, VersionText) {
    EXPECT_EQ(version_text(7'002'022), "7.2.22");
    EXPECT_EQ(version_text(9'000'000), "9.0.0");
    EXPECT_EQ(version_text(10'010'001), "10.10.1");
}

TEST(Host, AtLeastOneCpuRunsThis) {
    EXPECT_GE(cpu_count(), 1);
}

} // namespace
} // namespace kmatrix::libvirt

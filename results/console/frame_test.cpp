// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/frame.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

TEST(ParseFrame, ReadsEverySpelling) {
    for (const auto* line :
         {" gizmo_read+0x1a/0x40", "gizmo_read+0x1a/0x40 [gizmo]",
          " [<ffffffff81234567>] gizmo_read+0x1a/0x40",
          "([<000000000012345a>] gizmo_read+0x1a/0x40)",
          "[c000000003ae5be2] [c0000000000088f8] gizmo_read+0x1a/0x40",
          "<IRQ>  [<ffffffff81234567>] gizmo_read+0x1a/0x40", " gizmo_read+0x1a/0x40 (P)",
          " [<00000000abe26b8e>] gizmo_read+0x1a/0x40 fs/gizmo.c:12",
          "[<(ptrval)>] gizmo_read+0x1a/0x40", " gizmo_read fs/gizmo.c:12 [inline]",
          "\tgizmo_read+0x1a/0x40"}) {
        const auto frame = parse_frame(line);
        ASSERT_TRUE(frame) << line;
        EXPECT_EQ(frame->function, "gizmo_read") << line;
        EXPECT_FALSE(frame->uncertain) << line;
    }
}

TEST(ParseFrame, ReadsBothFunctionsOfArm32) {
    for (const auto* line : {"[<802b3ffc>] (gizmo_read) from [<802e1324>] (gizmo_open+0x6c/0x120)",
                             " gizmo_read from gizmo_open+0x6c/0x120"}) {
        const auto frame = parse_frame(line);
        ASSERT_TRUE(frame) << line;
        EXPECT_EQ(frame->function, "gizmo_read");
        EXPECT_EQ(frame->caller, "gizmo_open");
    }
    // The address after a call that does not return is the next function's
    EXPECT_EQ(parse_frame(" (gizmo_die) from [<802e1324>] (next_one+0x0/0x120)")->caller, "");
}

TEST(ParseFrame, KeepsModuleOffsetAndDoubt) {
    const auto frame = parse_frame(" ? gizmo_read.isra.0+0x1a/0x40 [gizmo 0123abcd]");
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->uncertain);
    EXPECT_EQ(frame->module, "gizmo");
    EXPECT_EQ(frame->offset, "0x1a/0x40");
    EXPECT_EQ(frame->symbol, "gizmo_read.isra.0");
    EXPECT_TRUE(parse_frame("[c0] gizmo_read+0x1a/0x40 (unreliable)") == std::nullopt);
    EXPECT_TRUE(parse_frame("[c000000000001000] gizmo_read+0x1a/0x40 (unreliable)")->uncertain);
}

TEST(ParseFrame, LeavesProseAlone) {
    for (const auto* line :
         {"", "gizmo", "gizmo: ready",
          "hardirqs last enabled at (59): [<ffffffff8100f908>] gizmo+0x28/0x80",
          "#0:  (&gizmo->lock){+.+.}, at: [<ffffffff81844c6b>] gizmo_read+0x5b/0x70", "0x202",
          "CPU: 1 PID: 7 Comm: gizmo+0x1", "gizmo+0x1a/0x40:more", "? ", "[<>]",
          "[<ffffffff81234567>]"}) {
        EXPECT_FALSE(parse_frame(line)) << line;
    }
}

TEST(ParseProgramCounter, ReadsEveryArchitecture) {
    for (const auto* line :
         {"RIP: 0010:gizmo_read+0x1a/0x40",
          "RIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] gizmo_read+0x1a/0x40",
          "EIP: gizmo_read+0x1a/0x40", "EIP is at gizmo_read+0x1a/0x40",
          "IP: [<ffffffff81234567>] gizmo_read+0x1a/0x40", "PC is at gizmo_read+0x1a/0x40",
          "pc : gizmo_read+0x1a/0x40", "epc : gizmo_read+0x1a/0x40",
          "NIP [c0000000008a1234] gizmo_read+0x1a/0x40",
          "ERA: 9000000000201234 gizmo_read+0x1a/0x40"}) {
        const auto counter = parse_program_counter(line);
        ASSERT_TRUE(counter) << line;
        EXPECT_EQ(counter->function, "gizmo_read") << line;
    }
}

TEST(ParseProgramCounter, HasNoneInProgramsAndWithoutName) {
    for (const auto* line :
         {"RIP: 0033:0x7f56a8c90369", "RIP: 0010:0x0", "PC is at 0xffffffffdeadbeef",
          "pc : [<8028bd5c>]    lr : [<8028bd50>]    psr: 20030013", "RIP: "}) {
        EXPECT_FALSE(parse_program_counter(line)) << line;
    }
}

TEST(ParseSymbol, IsNoAddress) {
    EXPECT_FALSE(parse_symbol("ffffffff81234567"));
    EXPECT_EQ(parse_symbol("add+0x1/0x2")->name, "add");
    EXPECT_EQ(parse_symbol("gizmo+junk")->length, 5u);
}

TEST(CanonicalFunction, IsTheSourcesName) {
    EXPECT_EQ(canonical_function("gizmo.isra.0"), "gizmo");
    EXPECT_EQ(canonical_function("gizmo.part.3.constprop.7"), "gizmo");
    EXPECT_EQ(canonical_function("gizmo.cold"), "gizmo");
    EXPECT_EQ(canonical_function("gizmo.llvm.1234567"), "gizmo");
    EXPECT_EQ(canonical_function("__pfx_gizmo"), "gizmo");
    EXPECT_EQ(canonical_function(".LC16"), ".LC16");
}

TEST(CanonicalFunction, HasOneNameForASystemCall) {
    for (const auto* name :
         {"__x64_sys_gizmo", "__ia32_sys_gizmo", "__arm64_sys_gizmo", "__ia32_compat_sys_gizmo",
          "compat_sys_gizmo", "SyS_gizmo", "sys_gizmo"}) {
        EXPECT_EQ(canonical_function(name), "sys_gizmo") << name;
    }
    for (const auto* name :
         {"__do_sys_gizmo", "__se_sys_gizmo", "SYSC_gizmo", "compat_SyS_gizmo"}) {
        EXPECT_EQ(canonical_function(name), "gizmo") << name;
    }
}

TEST(CanonicalFunction, ReadsRust) {
    EXPECT_EQ(canonical_function("_RNvMs3_NtCshgDM7dBCdno_5gizmo4ringNtB5_4Ring4take"),
              "gizmo::ring::Ring::take");
    // Damaged ones are at worst themselves
    EXPECT_EQ(canonical_function("_RNv99999999999999999999x"), "_RNv99999999999999999999x");
}

} // namespace
} // namespace kmatrix

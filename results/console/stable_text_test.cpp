// SPDX-License-Identifier: GPL-2.0-only
#include <gtest/gtest.h>

#include "results/console/describe.h"

namespace kmatrix {
namespace {

TEST(StableText, LosesWhatDiffersFromBootToBoot) {
    EXPECT_EQ(stable_text("gizmo at ffff888104c9e010, 0x1f and (ptrval)"),
              "gizmo at ADDR, ADDR and ADDR");
    EXPECT_EQ(stable_text("pid 812 on CPU#3"), "pid N on CPU#N");
    EXPECT_EQ(stable_text("gizmo_read+0x1a/0x40 at fs/gizmo.c:123"), "gizmo_read at fs/gizmo.c");
    EXPECT_EQ(stable_text("unknown-block(1,0)"), "unknown-block(N,N)");
}

TEST(StableText, KeepsNames) {
    EXPECT_EQ(stable_text("kmalloc-64 of ext4 in 9p"), "kmalloc-64 of ext4 in 9p");
    EXPECT_EQ(stable_text("dead beef cafe"), "dead beef cafe");
    EXPECT_EQ(stable_text("exitcode=0x0000000b"), "exitcode=0x0000000b");
}

TEST(StableText, IsOnePrintableLine) {
    EXPECT_EQ(stable_text(" a\tb\n\x01"
                          "c\xff "),
              "a b c\xEF\xBF\xBD");
}

} // namespace
} // namespace kmatrix

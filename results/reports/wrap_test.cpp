// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/wrap.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

TEST(Wrap, BreaksAtSpacesByCharacters) {
    EXPECT_EQ(wrapped("  aaa bbb ccc", "    ", 9), "  aaa bbb\n    ccc\n");
    EXPECT_EQ(wrapped("äää ööö", "", 7), "äää ööö\n");
    EXPECT_EQ(wrapped("a longwordindeed b", "", 5), "a\nlongwordindeed\nb\n");
    EXPECT_EQ(one_line(" a\n\tb\x01  c \r\n"), "a b c");
    EXPECT_EQ(columns("a\xC3\xA4"), 2u);
    EXPECT_EQ(first_columns("\xC3\xA4\xC3\xA4z", 2), "\xC3\xA4\xC3\xA4");
    EXPECT_EQ(first_columns("ab", 9), "ab");
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "base/text.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

using namespace std::string_literals;

TEST(Text, SplitKeepsEmptyParts) {
    EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
    EXPECT_EQ(split("", ','), std::vector<std::string>{""});
}

// RFC 4648, section 10.
TEST(Text, Base64) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xFB\xFF"s), "+/8=");
}

TEST(Text, TrimTakesAllWhiteSpace) {
    EXPECT_EQ(trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(trim(" \n"), "");
}

TEST(Text, LastLines) {
    EXPECT_EQ(last_lines("a\nb\nc\n", 2), "b\nc");
    EXPECT_EQ(last_lines("a\nb\nc", 3), "a\nb\nc");
    EXPECT_EQ(last_lines("a\nb", 9), "a\nb");
    EXPECT_EQ(last_lines("\na", 1), "a");
    EXPECT_EQ(last_lines("a", 0), "");
    EXPECT_EQ(last_lines("", 3), "");
}

TEST(Text, PrintableDropsEscapesAndControls) {
    EXPECT_EQ(printable("a\x1b[31mred\x1b[0m\rb\0c\n\td"s), "aredbc\n\td");
    EXPECT_EQ(printable("\x1b]0;title\ax"), "x");
    EXPECT_EQ(printable("\x1b]torn\nx"), "torn\nx");
    EXPECT_EQ(printable("\x1b]torn\x1b[0mx\a"), "tornx"); // so it stays linear in the worst case
    EXPECT_EQ(printable("end\x1b"), "end");
}

TEST(Text, PrintableReplacesWhatIsNoUtf8) {
    EXPECT_EQ(printable("\xC3\xA9"), "\xC3\xA9");                 // e acute
    EXPECT_EQ(printable("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80"); // outside the BMP
    EXPECT_EQ(printable("a\xFFz"), "a\xEF\xBF\xBDz");
    EXPECT_EQ(printable("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                 // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); // surrogate
    EXPECT_EQ(printable("\xC2\x9B"), "");                                         // C1: CSI
    EXPECT_EQ(printable("\xEF\xBF\xBF"), "\xEF\xBF\xBD"); // no XML character
}

// The two vectors of FIPS 180-4's examples, as `printf abc | sha256sum` prints them.
TEST(Text, Sha256) {
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Text, DurationHasNoSixtySeconds) {
    EXPECT_EQ(duration_text(8.71), "8.7 s");
    EXPECT_EQ(duration_text(59.97), "1 min 00 s");
    EXPECT_EQ(duration_text(218), "3 min 38 s");
    EXPECT_EQ(duration_text(3599.9), "1 h 00 min");
    EXPECT_EQ(duration_text(3900), "1 h 05 min");
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/line.h"

#include <gtest/gtest.h>

namespace kmatrix::ktap {
namespace {

struct Placed {
    std::string_view text;
    std::size_t column;
    std::optional<std::size_t> hash;
    std::string_view content;
};

TEST(Line, StandsWhereItsIndentationEnds) {
    for (const Placed& wanted : {
             Placed{"ok 1 a", 0, {}, "ok 1 a"},
             Placed{"  ok 1 a  ", 2, {}, "ok 1 a"},
             Placed{"\tok 1 a", 8, {}, "ok 1 a"},
             Placed{"# ok 1 a", 2, 0, "ok 1 a"},
             Placed{"# # ok 1 a", 4, 2, "ok 1 a"},
             Placed{"# \tok 1 a", 10, 0, "ok 1 a"},
             Placed{"    # text", 6, 4, "text"},
             Placed{"#", 2, 0, ""},
             Placed{"#1 is no prefix", 0, {}, "#1 is no prefix"},
             Placed{"", 0, {}, ""},
         }) {
        const Line line = place(wanted.text);
        EXPECT_EQ(line.at.column, wanted.column) << wanted.text;
        EXPECT_EQ(line.at.hash, wanted.hash) << wanted.text;
        EXPECT_EQ(line.content, wanted.content) << wanted.text;
    }
}

TEST(Line, LosesWhatAConsolePutsInFront) {
    for (const char* prefix :
         {"[    0.123456] ", "[12345.678901] ", "<6>[    0.123456] ", "<4>",
          "[    0.123456][    T1] ", "[    0.123456] [   C12] ", "[   T7] ", "[    1.5000@3] ",
          "2025-01-31T10:20:30.123456Z ", "2025-01-31 10:20:30 ",
          "2025-01-31T10:20:30+01:00 [    0.123456] "}) {
        const std::string text = std::string(prefix) + "\tok 1 a";
        const Line line = place(text);
        EXPECT_EQ(line.content, "ok 1 a") << prefix;
        EXPECT_EQ(line.at.column, 8u) << prefix;
    }
    EXPECT_EQ(place("# [  114.397701] # [  114.3977] x").content, "x");
    EXPECT_EQ(place("# [  114.397701] # [  114.3977] x").at.column, 4u);
}

TEST(Line, KeepsWhatOnlyLooksLikeAPrefix) {
    for (const char* text : {"[1914] trying", "[RUN] x", "[ OK ] x", "<b>", "[T] x", "[ 1.2 s] x",
                             "2025-01-31 is a day", "2025-01-31 10:20:30x", "[    0.123456"})
        EXPECT_EQ(place(text).content, text);
}

TEST(Line, GoesOnAfterACarriageReturnWhereTheLineStood) {
    const Line progress = place("# # 10 %");
    const Line after = place("ok 1 a", progress.at);
    EXPECT_EQ(after.at.column, 4u);
    EXPECT_EQ(after.at.hash, 2u);
    EXPECT_EQ(place("# ok 1 a", progress.at).at.column, 2u); // has a "# " of its own
    EXPECT_EQ(place("ok 1 a", place("10 %").at).at.column, 0u);
}

TEST(Line, FindsTheNextConsoleLineInIt) {
    EXPECT_EQ(inner_stamp("ok 1 a[    1.234567] more"), 6u);
    EXPECT_EQ(inner_stamp("[    1.234567] ok 1 a"), std::string_view::npos); // its own
    EXPECT_EQ(inner_stamp("ok 1 a[1.5] b [12] c [   1.23456"), std::string_view::npos);
}

} // namespace
} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/console_line.h"

#include <string>

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

using namespace std::string_view_literals;

ConsoleLine only(std::string_view raw) {
    const auto lines = clean_line(raw, 7);
    EXPECT_EQ(lines.size(), 1u) << raw;
    return lines.back();
}

TEST(CleanLine, TakesStampAndPrinterOff) {
    const auto line = only("[   12.345678][  T812] gizmo: ready");
    EXPECT_EQ(line.text, "gizmo: ready");
    EXPECT_EQ(line.context, "T812");
    EXPECT_DOUBLE_EQ(line.time_s, 12.345678);
    EXPECT_EQ(line.number, 7u);
}

TEST(CleanLine, TakesWhatSerialLinesAddOff) {
    const auto line = only("\x1b[1m<6>[    1.000002] [    C3]  gizmo\x1b[0m\0 on\r"sv);
    EXPECT_EQ(line.text, " gizmo on");
    EXPECT_EQ(line.context, "C3");
}

TEST(CleanLine, KnowsPrintersWithoutTimes) {
    EXPECT_EQ(only("[    T12] gizmo").text, "gizmo");
    EXPECT_EQ(only("[    T12] gizmo").context, "T12");
    EXPECT_EQ(only("[TODO] gizmo").text, "[TODO] gizmo");
}

TEST(CleanLine, KnowsVendorsPrinters) {
    const auto line = only("[   37.991733]  [4:GizmoManager: 3874] gizmo");
    EXPECT_EQ(line.text, "gizmo");
    EXPECT_EQ(line.context, "T3874");
}

TEST(CleanLine, KeepsWhatOnlyLooksLikeAStamp) {
    EXPECT_EQ(only("gizmo [1.5] [12:30]").text, "gizmo [1.5] [12:30]");
    EXPECT_DOUBLE_EQ(only("gizmo [1.5]").time_s, -1);
}

TEST(CleanLine, SplitsTornLines) {
    const auto lines = clean_line("gizmo crashed[    2.000001][   T5] cut [    2.000002] here", 1);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].text, "gizmo crashed");
    EXPECT_EQ(lines[1].text, "cut ");
    EXPECT_EQ(lines[1].context, "T5");
    EXPECT_EQ(lines[2].text, "here");
    EXPECT_EQ(lines[2].context, "");
    EXPECT_EQ(lines[2].shown, "gizmo crashed[    2.000001][   T5] cut [    2.000002] here");
}

TEST(CleanLine, ShowsOnlyPrintableBytes) {
    EXPECT_EQ(only("gizmo \xff\x01 end").shown, "gizmo \xEF\xBF\xBD end");
    EXPECT_EQ(only(std::string(5000, 'x')).shown.size(), 400u);
    EXPECT_EQ(only(std::string(5000, 'x')).text.size(), 4096u);
}

TEST(CleanLine, IsNeverEmpty) {
    EXPECT_EQ(only("").text, "");
}

TEST(HasLaterStamp, TellsARunningKernel) {
    EXPECT_TRUE(has_later_stamp("[    0.000001] x"));
    EXPECT_FALSE(has_later_stamp("[    0.000000] Linux version"));
    EXPECT_FALSE(has_later_stamp("gizmo"));
}

TEST(WithoutSubsystem, TakesAllOfThemOff) {
    EXPECT_EQ(without_subsystem("NMI watchdog: watchdog: BUG: x"), "BUG: x");
    EXPECT_EQ(without_subsystem("gizmo: BUG: x"), "gizmo: BUG: x");
}

} // namespace
} // namespace kmatrix

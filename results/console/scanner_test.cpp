// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/scanner.h"

#include <cstdint>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace kmatrix {
namespace {

TEST(ConsoleScanner, SeesAPanicBeforeItsReportIsComplete) {
    ConsoleScanner scanner;
    scanner.feed("[    1.000001] Kernel panic - not syncing: gizmo is gone");
    EXPECT_FALSE(scanner.panicked()); // the line may go on
    scanner.feed("\n");
    EXPECT_TRUE(scanner.panicked());
    EXPECT_TRUE(scanner.findings().empty());
    scanner.finish();
    ASSERT_EQ(scanner.findings().size(), 1u);
}

TEST(ConsoleScanner, SeesAPanicThatIsAConsequence) {
    ConsoleScanner scanner;
    scanner.feed("[    1.000001] Oops: divide error: 0000 [#1] SMP\n"
                 "[    1.000002] Kernel panic - not syncing: Fatal exception\n");
    EXPECT_TRUE(scanner.panicked());
    scanner.finish();
    ASSERT_EQ(scanner.findings().size(), 1u);
    EXPECT_EQ(scanner.findings().front().klass, "oops");
}

TEST(ConsoleScanner, TakesALineWithoutEnd) {
    const auto findings = scan_console("[    1.000001] Kernel panic - not syncing: gizmo is gone");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings.front().title, "kernel panic: gizmo is gone");
}

TEST(ConsoleScanner, FindsNothingInNothing) {
    EXPECT_TRUE(scan_console("").empty());
    EXPECT_TRUE(scan_console("\n\n\n").empty());
}

TEST(ConsoleScanner, GivesStackAndLines) {
    const auto findings =
        scan_console("[    1.000000] before\n"
                     "[    1.000001] WARNING: a.c:1 at gizmo+0x1/0x2, CPU#1: g/1\n"
                     "[    1.000002] Call Trace:\n"
                     "[    1.000003]  ? stale+0x1/0x2\n"
                     "[    1.000004]  gizmo+0x1/0x2\n"
                     "[    1.000005]  gizmo_open.cold+0x1/0x2\n"
                     "[    1.000006] after\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_THAT(findings.front().stack, testing::ElementsAre("gizmo", "gizmo_open"));
    ASSERT_EQ(findings.front().lines.size(), 5u);
    EXPECT_EQ(findings.front().lines.front(),
              "[    1.000001] WARNING: a.c:1 at gizmo+0x1/0x2, CPU#1: g/1");
    EXPECT_EQ(findings.front().lines.back(), "[    1.000005]  gizmo_open.cold+0x1/0x2");
}

TEST(ConsoleScanner, TitlesAreShortAndPrintable) {
    const auto findings = scan_console("Kernel panic - not syncing: \x1b[31m" +
                                       std::string(119, 'x') + "\xC3\xA4\xC3\xA4\xC3\xA4\n");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_LE(findings.front().title.size(), 120u);
    EXPECT_EQ(findings.front().title, printable(findings.front().title));
}

// A fuzzer's find: what is left of a torn line may have no words.
TEST(ConsoleScanner, EveryFindingHasATitle) {
    const std::vector<std::string> torn = {
        "[   77.000003] PANIC: double fault, error_code: 0x0\n[   77.000003] [#1] SMP NOPTI\n",
        "[    1.000001] Oops: [#1] SMP NOPTI\n",
        "[    1.000001] Oops:  [#1] SMP NOPTI\n",
        "[    1.000001] Kernel panic - not syncing: \n",
        "[    1.000001] kernel BUG at \n",
        "[    1.000001] WARNING: \n[    1.000002] BUG: \n[    1.000003] INFO: \n"};
    std::size_t found = 0;
    for (const std::string& text : torn)
        for (const Finding& finding : scan_console(text)) {
            ++found;
            EXPECT_FALSE(trim(finding.title).empty()) << text;
            EXPECT_FALSE(finding.klass.empty()) << text;
        }
    EXPECT_GE(found, 3u);
}

TEST(ConsoleScanner, KeepsAThousand) {
    std::string console;
    for (int i = 0; i < 1200; ++i) {
        console += "[    1.000001] BUG: gizmo is gone\n";
    }
    ConsoleScanner scanner;
    scanner.feed(console);
    scanner.finish();
    EXPECT_EQ(scanner.findings().size(), 1000u);
    EXPECT_EQ(scanner.dropped(), 200u);
}

TEST(ConsoleScanner, CutsLinesThatNeverEnd) {
    ConsoleScanner scanner;
    for (int i = 0; i < 1000; ++i) {
        scanner.feed(std::string(4096, 'x') + "BUG: ");
    }
    scanner.feed("\n[    1.000001] BUG: gizmo is gone\n");
    scanner.finish();
    ASSERT_EQ(scanner.findings().size(), 1u);
    EXPECT_EQ(scanner.findings().front().line, 2u);
}

// Any bytes, and bits of real reports in any order: nothing may crash (the sanitizers watch), and
// what comes out may be shown.
TEST(ConsoleScanner, SurvivesHostileBytes) {
    const std::string bits[] = {
        "BUG: ",  "INFO: task ", "[#1]",       "[    1.000001]", "[  T1] ",  "\n",
        "\x1b[",  "+0x1/0x2",    " (",         "[<ffffffff81",   "_RNvCs_9", "%f",
        ", at: ", "WARNING: ",   "RIP: 0010:", "Call Trace:\n",  "\xff\xfe", "=====",
        "Oops: ", "KASAN: ",     " in ",       "<IRQ>",          "(null)",   "$1$access"};
    std::mt19937 random(
        20250101); // NOLINT(cert-msc51-cpp,bugprone-random-generator-seed): the same each time
    for (int round = 0; round < 300; ++round) {
        std::string console;
        for (int i = 0; i < 200; ++i) {
            if (random() % 3 == 0) {
                console += static_cast<char>(random() % 256);
            } else {
                console += bits[random() % std::size(bits)];
            }
        }
        for (const auto& finding : scan_console(console)) {
            EXPECT_LE(finding.title.size(), 120u);
            EXPECT_EQ(finding.title, printable(finding.title));
            for (const auto& line : finding.lines) {
                EXPECT_EQ(line, printable(line));
            }
        }
    }
}

// Heads without an end to them; were anything quadratic, this would take minutes.
TEST(ConsoleScanner, TakesLinearTime) {
    std::string line;
    while (line.size() < 4000) {
        line += "INFO: task BUG: WARNING: ";
    }
    std::string console;
    for (int i = 0; i < 250; ++i) {
        console += line + "\n" + std::string(4000, '[') + "\n" + std::string(4000, ' ') + "\n";
    }
    EXPECT_LE(scan_console(console).size(), 1000u);
}

} // namespace
} // namespace kmatrix

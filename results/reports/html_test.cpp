// SPDX-License-Identifier: GPL-2.0-only
// The page against a golden file that was looked at in a browser (KMATRIX_UPDATE=1 writes it anew),
// and against tidy, which knows HTML 5.
#include "results/reports/html.h"

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "base/text.h"
#include "results/reports/golden.h"
#include "results/reports/html_example.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

// A picture that does not depend on gnuplot's version.
std::vector<Drawing> drawn(const RunResult& run, const Comparison& comparison) {
    std::vector<Drawing> drawings;
    for (const Picture& picture : pictures(run, comparison))
        drawings.push_back({picture, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", ""});
    return drawings;
}

std::string page(const RunResult& run) {
    const Comparison comparison = compare(run);
    return html_report(run, comparison, drawn(run, comparison));
}

// How often `text` stands in the page.
std::size_t times(const std::string& page, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
        ++count;
    return count;
}

TEST(Html, IsAsItWasLookedAt) {
    const std::string text = page(html_example::run());
    example::expect_golden(text, "regressed.html");
}

TEST(Html, BeginsWithTheVerdictAndTheMatrix) {
    const RunResult run = html_example::run();
    const std::string text = page(run);
    const std::size_t verdict = text.find("<h1>The series regressed");
    const std::size_t matrix = text.find("<section id=\"matrix\">");
    const std::size_t latency = text.find("<section id=\"latency-1\">");
    const std::size_t worse = text.find("<section id=\"worse\">");
    const std::size_t tests = text.find("<section id=\"tests\">");
    ASSERT_NE(verdict, std::string::npos);
    ASSERT_NE(tests, std::string::npos);
    EXPECT_LT(verdict, matrix);
    EXPECT_LT(matrix, latency);
    EXPECT_LT(latency, worse);
    EXPECT_LT(worse, tests);
}

TEST(Html, TheGridSaysInWordsWhatItColours) {
    const std::string text = page(html_example::run());
    // x86_64: 1 functional boot and 4 of the benchmark; arm64: 1 functional boot
    EXPECT_THAT(text, HasSubstr("<td class=\"good baseline\" data-label=\"baseline boots\">5 of 5 "
                                "boot</td>"));
    EXPECT_THAT(text, HasSubstr("<td class=\"bad patched\" data-label=\"patched boots\">1 of 1 "
                                "boot, 1 splat <strong>regressed</strong></td>"));
    EXPECT_THAT(text, HasSubstr("<td class=\"good baseline\" data-label=\"baseline tests\">2 pass, "
                                "1 skipped</td>"));
    EXPECT_THAT(text, HasSubstr("<td class=\"bad patched\" data-label=\"patched tests\">1 fails, 1 "
                                "passes, 1 skipped <strong>regressed</strong></td>"));
    EXPECT_THAT(text, HasSubstr("<a href=\"#latency-1\">smaps_rollup</a>: 10 times faster, "
                                "emulated</td>"));
}

TEST(Html, FailuresHaveTheirLinesTheirLogAndTheirCommand) {
    const std::string text = page(html_example::run());
    EXPECT_THAT(text, HasSubstr("<code class=\"line\">Expected 1 == 2</code>"));
    EXPECT_THAT(text, HasSubstr("<pre>WARNING: fs/proc/task_mmu.c:7 at show_map+0x1/0x2</pre>"));
    EXPECT_THAT(
        text,
        HasSubstr("<a href=\"cells/arm64-default-8cpu-gcc/patched/functional/console.log\">"));
    EXPECT_THAT(text, HasSubstr("<pre class=\"command\">boot "
                                "arm64-default-8cpu-gcc/patched/functional</pre>"));
}

TEST(Html, LongTextsAreCutInTheirMiddle) {
    RunResult run = html_example::run();
    std::vector<std::string>& lines = [&]() -> std::vector<std::string>& {
        for (BootResult& boot : run.boots)
            if (!boot.findings.empty())
                return boot.findings.front().lines;
        throw std::out_of_range("no finding");
    }();
    lines.clear();
    for (int i = 1; i <= 100; ++i)
        lines.push_back(fmt::format("line {} of it", i));
    const std::string text = page(run);
    EXPECT_THAT(text, HasSubstr("<pre>line 1 of it\n"));
    EXPECT_THAT(text, HasSubstr("line 40 of it\n[21 lines are left out here; they are in the log]\n"
                                "line 62 of it\n"));
    EXPECT_THAT(text, HasSubstr("\nline 100 of it</pre>"));
}

TEST(Html, WhatAGuestOrASeriesSaysIsNeverMarkup) {
    const std::string text = page(html_example::hostile_run());
    EXPECT_EQ(times(text, "<script"), 0u);
    EXPECT_EQ(times(text, "<img "), 3u); // the pictures
    EXPECT_EQ(times(text, "onerror=\""), 0u);
    EXPECT_EQ(times(text, "href=\"javascript"), times(text, "href=\"javascript%3A"));
    EXPECT_EQ(text, printable(text));
    EXPECT_EQ(times(text, "\xE2\x80\xAE"), 0u);
    for (const char* place :
         {"subject", "author", "patch", "note", "cpu", "work", "error", "boot", "warning", "file",
          "make", "again", "release", "reason", "test", "subtest", "title", "more", "panic"})
        EXPECT_THAT(text, HasSubstr(std::string(place) + " &lt;/pre&gt;&lt;/script&gt;")) << place;
}

TEST(Html, LoadsNothing) {
    const std::string text = page(html_example::run());
    for (const char* attribute : {" src=\"", "url(", "@import", "<link", "srcset"})
        EXPECT_EQ(times(text, attribute),
                  times(text, std::string(attribute) + "data:image/svg+xml"))
            << attribute;
    EXPECT_EQ(times(text, "http://") + times(text, "https://"), 0u);
}

TEST(Html, SaysInWordsWhatCouldNotBeDrawn) {
    const RunResult run = html_example::run();
    const Comparison comparison = compare(run);
    std::vector<Drawing> drawings = drawn(run, comparison);
    for (Drawing& drawing : drawings) {
        drawing.svg.clear();
        drawing.failure = "gnuplot <did> not start";
    }
    const std::string text = html_report(run, comparison, drawings);
    EXPECT_EQ(times(text, "<img"), 0u);
    EXPECT_EQ(times(text, "The picture is missing: gnuplot &lt;did&gt; not start"), 3u);
    EXPECT_THAT(text, HasSubstr("Ratio patched/baseline: 0.100, 95 % interval"));
    EXPECT_THAT(text, HasSubstr("<th scope=\"row\">p99</th><td>3.02</td><td>0.3015</td>"));
}

TEST(Html, ABenchmarkWithoutHistogramsSaysSo) {
    RunResult run = html_example::run();
    for (BootResult& boot : run.boots)
        for (Sample& sample : boot.samples)
            sample.histogram_ns.clear();
    const std::string text = page(run);
    EXPECT_EQ(times(text, "<img"), 2u);
    EXPECT_THAT(text, HasSubstr("There is no picture of single calls"));
}

TEST(Html, OfARunThatCannotSayAnything) {
    RunResult run = hand_built::run({hand_built::cell()});
    run.builds.clear();
    run.infrastructure = {{"build x86_64-default-gcc baseline", "no space left"}};
    const std::string text = page(run);
    EXPECT_THAT(text, HasSubstr("<h1>No verdict: "));
    EXPECT_THAT(text, HasSubstr("<pre>no space left</pre>"));
    EXPECT_THAT(text, HasSubstr("data-label=\"patched boots\">not booted</td>"));
}

TEST(Html, IsValid) {
    Command version;
    version.argv = {"tidy", "-version"};
    if (!run_blocking(version))
        GTEST_SKIP() << "tidy is not installed";
    RunResult nothing = hand_built::run({hand_built::cell()});
    nothing.builds.clear();
    int number = 0;
    for (const RunResult& run : {html_example::run(), html_example::hostile_run(), nothing}) {
        const fs::path file = fs::temp_directory_path() /
                              fmt::format("kmatrix-html-{}-{}.html", ::getpid(), ++number);
        ASSERT_TRUE(write_file(file, page(run)));
        Command tidy;
        tidy.argv = {"tidy", "-errors", "-quiet", "-utf8", file.string()};
        const auto exit = run_blocking(tidy);
        ASSERT_TRUE(exit) << exit.error().text();
        EXPECT_TRUE(exit->ok()) << exit->tail;
        fs::remove(file);
    }
}

} // namespace
} // namespace kmatrix

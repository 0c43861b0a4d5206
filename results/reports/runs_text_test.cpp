// SPDX-License-Identifier: GPL-2.0-only
// Two versions of a series, and an A/A run, against golden files that were read by a person.
// KMATRIX_UPDATE=1 writes them anew.
#include "results/reports/runs_text.h"

#include <algorithm>
#include <regex>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/reports/golden.h"
#include "results/reports/html.h"
#include "results/reports/html_text.h"
#include "results/reports/junit.h"
#include "results/reports/mail_reply.h"
#include "results/reports/report_json.h"
#include "results/reports/runs_html.h"
#include "results/reports/runs_json.h"
#include "results/reports/text.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {

using example::expect_golden;
using testing::HasSubstr;
using testing::Not;

// Without the line breaks of wrapped(), and the indentation after them.
std::string unwrapped(const std::string& text) {
    return std::regex_replace(text, std::regex("\n *"), " ");
}

RunResult version(int number, const std::vector<double>& patched_ms) {
    Cell cell = hand_built::cell();
    cell.selftests = {hand_built::selftest()};
    cell.benchmarks = {hand_built::benchmark()};
    RunResult run = hand_built::run({cell});
    run.info.id = fmt::format("2026010{}-120000", number);
    run.info.started = fmt::format("2026-01-0{}T12:00:00Z", number);
    run.info.baseline_commit = "0123456789abcdef0123456789abcdef01234567";
    run.info.baseline_describe = "7.3.4";
    run.info.patched_tree = fmt::format("tree of v{}", number);
    run.info.series.subject = "proc: read less under the lock";
    run.info.series.version = number;
    run.info.machine = {Accel::tcg, "7.2.0", "9.0.0", "Some CPU", 2, false};
    hand_built::build(run, Kernel::patched).image_sha256 = fmt::format("image of v{}", number);
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        BootResult& boot = hand_built::boot(run, kernel, cell.id);
        hand_built::test(boot, "proc-maps-race", Status::pass, "",
                         {hand_built::subtest("maps.tearing", "pass"),
                          hand_built::subtest("smaps.tearing", "pass")});
        hand_built::test(boot, "proc-loadavg-001", Status::pass);
    }
    hand_built::benchmark_boots(run, Kernel::baseline, cell.id,
                                {1.00, 1.02, 0.98, 1.01, 0.99, 1.00});
    hand_built::benchmark_boots(run, Kernel::patched, cell.id, patched_ms);
    for (BootResult& boot : run.boots)
        boot.machine = run.info.machine;
    return run;
}

RunResult v2() {
    RunResult run = version(2, {0.100, 0.102, 0.098, 0.101, 0.099, 0.100});
    TestRun& loadavg = run.boots[1].tests[1];
    loadavg.status = Status::fail;
    loadavg.reason = "exit 1";
    run.boots[1].findings = {hand_built::finding("warning", "WARNING in show_map")};
    hand_built::build(run, Kernel::patched).warnings = {
        {"fs/proc/task_mmu.c", "-Wunused-variable", "unused variable 'x'", 1}};
    return run;
}

RunResult v3() {
    RunResult run = version(3, {0.125, 0.127, 0.123, 0.126, 0.124, 0.125});
    TestRun& race = run.boots[1].tests[0];
    race.status = Status::fail;
    race.reason = "exit 1";
    race.subtests[1] = hand_built::subtest("smaps.tearing", "fail", "Expected a == b");
    hand_built::test(run.boots[1], "proc-new", Status::pass);
    hand_built::test(run.boots[0], "proc-new", Status::pass);
    Finding oops = hand_built::finding("oops", "BUG: unable to handle page fault in m_start");
    oops.lines.emplace_back("RIP: 0010:m_start+0x12/0x90");
    run.boots[1].findings = {oops};
    run.boots[1].console = "cells/x86_64-default-4cpu-gcc/patched/functional/console.log";
    Cell arm = hand_built::cell(Arch::arm64);
    run.matrix.cells.push_back(arm);
    return run;
}

TEST(RunsText, OfTwoVersions) {
    const auto runs = compare_runs(v2(), v3());
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->gating, 2);
    expect_golden(runs_text(*runs), "versions.txt");
}

// As text, as JSON and as a page: the same.
TEST(RunsReports, SayTheSame) {
    const auto runs = compare_runs(v2(), v3());
    ASSERT_TRUE(runs);
    const std::string json = runs_json(*runs);
    example::expect_golden(json, "versions.json");
    example::expect_valid_json(
        json, std::filesystem::path(KMATRIX_SOURCE_DIR) / "docs/compare.schema.json", true);
    const std::string html = runs_html(*runs);
    example::expect_golden(html, "versions.html");
    const std::string text = unwrapped(runs_text(*runs));
    for (const char* fact :
         {"smaps_rollup is 25 % slower in x86_64-default-4cpu-gcc, under emulation",
          "Expected a == b", "BUG: unable to handle page fault in m_start",
          "RIP: 0010:m_start+0x12/0x90", "unused variable 'x'", "arm64-default-4cpu-gcc",
          "ratio 1.25, 95 % interval 1.23 to 1.27, p below 0.0001: 25 % slower, emulated",
          "cells/x86_64-default-4cpu-gcc/patched/functional/console.log", "20260103-120000"}) {
        EXPECT_THAT(text, HasSubstr(fact));
        EXPECT_THAT(json, HasSubstr(fact));
        EXPECT_THAT(html, HasSubstr(escaped(fact)));
    }
}

TEST(RunsReports, OfRunsThatCannotBeComparedDirectly) {
    RunResult b = v3();
    hand_built::build(b, Kernel::baseline).image_sha256 = "another";
    b.boots[1].outcome = Panicked{"no <init>"};
    const auto runs = compare_runs(v2(), b);
    ASSERT_TRUE(runs);
    const std::string json = runs_json(*runs);
    example::expect_valid_json(
        json, std::filesystem::path(KMATRIX_SOURCE_DIR) / "docs/compare.schema.json", true);
    EXPECT_THAT(json, HasSubstr("\"refused\": \"the baselines' images differ"));
    EXPECT_THAT(json, HasSubstr("panicked: no <init>"));
    const std::string html = runs_html(*runs);
    EXPECT_THAT(html, HasSubstr("not compared: the baselines&#39; images differ"));
    EXPECT_THAT(html, HasSubstr("panicked: no &lt;init&gt;"));
}

TEST(RunsText, OfOneBootThatFailedNamesTheBootAsItsRunDoes) {
    RunResult a = v2();
    a.boots[1].outcome = Panicked{"no init"};
    const auto runs = compare_runs(a, v3());
    ASSERT_TRUE(runs);
    const std::string text = runs_text(*runs);
    EXPECT_THAT(text, HasSubstr("    A: x86_64-default-4cpu-gcc/patched/functional: panicked: no"));
    EXPECT_THAT(text, Not(HasSubstr("A:x86_64")));
}

TEST(RunsText, OtherBaselinesGetNoDirectRatio) {
    RunResult b = v3();
    hand_built::build(b, Kernel::baseline).image_sha256 = "another";
    const auto runs = compare_runs(v2(), b);
    ASSERT_TRUE(runs);
    EXPECT_THAT(runs_text(*runs), HasSubstr("    patched kernels, B/A    not compared: the "
                                            "baselines' images differ, though"));
}

TEST(Report, OfAnAARun) {
    RunResult run = version(1, {1.01, 1.00, 0.99, 1.02, 1.00, 0.98});
    run.info.noise = true;
    run.info.series = {};
    run.matrix.only_benchmarks = true;
    std::erase_if(run.boots, [](const BootResult& boot) { return !boot.benchmark; });
    hand_built::make_images_equal(run);
    expect_golden(text_report(run, compare(run)), "noise.txt");
}

TEST(Report, SaysHowOftenATestFailedBefore) {
    RunResult run = v3();
    run.known.failures = {
        {Arch::x86_64, "default", "proc: proc-maps-race: smaps.tearing", Kernel::patched, 3, 41}};
    const Comparison comparison = compare(run);
    // fisher.test(matrix(c(1, 0, 3, 39), 2), alternative = "greater")$p.value = 4/43
    const std::string known =
        "it failed 3 of 41 times on unpatched kernels before; chance may explain this, p 0.093";
    ASSERT_FALSE(comparison.regressions.empty());
    const auto is_of_it = [](const Regression& regression) {
        return regression.what.starts_with("proc: proc-maps-race: smaps.tearing fails (");
    };
    const auto regression =
        std::find_if(comparison.regressions.begin(), comparison.regressions.end(), is_of_it);
    ASSERT_NE(regression, comparison.regressions.end());
    EXPECT_THAT(regression->what, HasSubstr("fails (but " + known));
    EXPECT_TRUE(regression->gates); // what is known changes no verdict
    EXPECT_EQ(exit_status(comparison), 1);
    EXPECT_THAT(unwrapped(text_report(run, comparison)), HasSubstr("fails (but " + known));
    EXPECT_THAT(html_report(run, comparison, {}), HasSubstr("fails (but " + known));
    EXPECT_THAT(junit_xml(run, comparison), HasSubstr("Expected a == b; but " + known));
    EXPECT_THAT(unwrapped(draft_reply(run, comparison, {}).mail.text), HasSubstr(known));
    const std::string json = report_json(run, comparison);
    EXPECT_THAT(json, HasSubstr("fails (but " + known));
    example::expect_valid_json(
        json, std::filesystem::path(KMATRIX_SOURCE_DIR) / "docs/report.schema.json", true);
}

TEST(Report, SaysThatATestNeverFailedBefore) {
    RunResult run = v3();
    run.known.failures = {
        {Arch::x86_64, "default", "proc: proc-maps-race: smaps.tearing", Kernel::patched, 0, 41}};
    EXPECT_THAT(
        unwrapped(text_report(run, compare(run))),
        HasSubstr("smaps.tearing fails (it failed 0 of 41 times on unpatched kernels before)"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The reports of three runs built by hand, against golden files that were read by a person.
// KMATRIX_UPDATE=1 writes them anew.
#include <cstdlib>

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "results/comparison/hand_built_run.h"
#include "results/reports/junit.h"
#include "results/reports/text.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path golden = fs::path(SOURCE_DIR) / "tests/golden";

void expect_golden(const std::string& text, const std::string& name) {
    if (std::getenv("KMATRIX_UPDATE")) {
        ASSERT_TRUE(write_file(golden / name, text));
        return;
    }
    const auto expected = read_file(golden / name);
    ASSERT_TRUE(expected) << expected.error().text();
    EXPECT_EQ(text, *expected);
}

// The schema is other people's; where it is not at hand, xmllint still says whether it is XML.
void expect_valid(const std::string& xml) {
    const fs::path file =
        fs::temp_directory_path() / ("kmatrix-junit-" + std::to_string(::getpid()) + ".xml");
    ASSERT_TRUE(write_file(file, xml));
    Command lint;
    lint.argv = {"xmllint", "--noout"};
    if (const char* schema = std::getenv("KMATRIX_JUNIT_XSD"); schema && fs::exists(schema))
        lint.argv.insert(lint.argv.end(), {"--schema", schema});
    lint.argv.push_back(file.string());
    const auto exit = run_blocking(lint);
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << exit->tail;
    fs::remove(file);
}

RunInfo info() {
    RunInfo info;
    info.id = "20260101-120000";
    info.started = "2026-01-01T12:00:00Z";
    info.kmatrix_version = "0.1.0";
    info.baseline_commit = "0123456789abcdef0123456789abcdef01234567";
    info.baseline_describe = "7.3.4";
    info.patched_tree = "fedcba9876543210fedcba9876543210fedcba98";
    info.series.subject = "proc: read less under the lock";
    info.series.author = "A Developer <dev@example.org>";
    info.series.patches = {"proc: one", "selftests: two"};
    info.machine = {Accel::tcg, "7.2.0", "9.0.0", "Some CPU", 2, false};
    return info;
}

RunResult good_run() {
    Cell cell = hand_built::cell();
    cell.selftests = {hand_built::selftest()};
    cell.benchmarks = {hand_built::benchmark()};
    RunResult run = hand_built::run({cell});
    run.info = info();
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        BootResult& boot = hand_built::boot(run, kernel, cell.id);
        boot.machine = run.info.machine;
        boot.vitals = Vitals{4, 2000000, "7.3.4", "x86_64", "", "tsc", "full", 250, 4096, {}};
        hand_built::test(boot, "proc-maps-race", Status::pass, "",
                         {hand_built::subtest("maps.tearing", "pass"),
                          hand_built::subtest("smaps.tearing", "pass")});
        hand_built::test(boot, "no-vsyscall", Status::skip, "no vsyscall here");
    }
    hand_built::benchmark_boots(run, Kernel::baseline, cell.id,
                                {1.00, 1.02, 0.98, 1.01, 0.99, 1.00});
    hand_built::benchmark_boots(run, Kernel::patched, cell.id,
                                {0.100, 0.102, 0.098, 0.101, 0.099, 0.100});
    for (BootResult& boot : run.boots)
        boot.machine = run.info.machine;
    return run;
}

RunResult bad_run() {
    RunResult run = good_run();
    const std::string cell = run.matrix.cells[0].id;
    BootResult& patched = run.boots[1];
    patched.tests[0].status = Status::fail;
    patched.tests[0].reason = "exit 1";
    patched.tests[0].subtests[1] =
        hand_built::subtest("smaps.tearing", "fail", "Expected <a> == \"b\" & \x01more");
    patched.findings = {{"warning",
                         "WARNING in show_map",
                         "show_map",
                         {"show_map"},
                         {"WARNING: fs/proc/task_mmu.c:7 at show_map+0x1/0x2"},
                         12}};
    hand_built::build(run, Kernel::patched).warnings = {
        {"fs/proc/task_mmu.c", "-Wunused-variable", "unused variable 'x'", 1}};
    run.not_run = {cell + "/patched/smaps_rollup-7"};
    return run;
}

TEST(Reports, OfASeriesThatIsFaster) {
    const RunResult run = good_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 0);
    expect_golden(text_report(run, comparison), "faster.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "faster.xml");
    expect_valid(xml);
    EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Reports, OfASeriesThatBreaksATest) {
    const RunResult run = bad_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 1);
    expect_golden(text_report(run, comparison), "regressed.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "regressed.xml");
    expect_valid(xml);
    EXPECT_THAT(xml, HasSubstr("<failure"));
}

TEST(Reports, OfARunThatCannotSayAnything) {
    RunResult run = hand_built::run({hand_built::cell()});
    run.info = info();
    run.builds.clear();
    run.infrastructure = {{"build x86_64-default-gcc baseline", "no space left\n  whole log: x"}};
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 3);
    expect_golden(text_report(run, comparison), "infrastructure.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "infrastructure.xml");
    expect_valid(xml);
    EXPECT_THAT(xml, HasSubstr("<error"));
}

TEST(Reports, TheThreadsLayoutIsSortedByColumn) {
    const RunResult run = good_run();
    TextOptions options;
    options.thread_layout = true;
    EXPECT_THAT(text_report(run, compare(run), options),
                HasSubstr("        0.882     0.980     9.800\n"
                          "        0.891     0.990     9.900\n"));
}

TEST(Junit, LongTextsAreCutAndSaySo) {
    RunResult run = bad_run();
    run.boots[1].tests[0].subtests[1].diagnostics.assign(20000, "a line of the test's output");
    const std::string xml = junit_xml(run, compare(run));
    EXPECT_LT(xml.size(), 200000u);
    expect_valid(xml);
}

TEST(Junit, NamesAreUnique) {
    RunResult run = good_run();
    for (BootResult& boot : run.boots)
        if (!boot.benchmark)
            boot.findings = {{"bug", "same", "", {}, {"line"}, 1},
                             {"hang", "same", "", {}, {"l"}, 2}};
    const std::string xml = junit_xml(run, compare(run));
    EXPECT_THAT(xml, HasSubstr("name=\"splat: same\""));
    EXPECT_THAT(xml, HasSubstr("name=\"splat: same (2)\""));
}

} // namespace
} // namespace kmatrix

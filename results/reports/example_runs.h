// SPDX-License-Identifier: GPL-2.0-only
// Runs built by hand that the tests of the reports share.
#pragma once

#include <string>

#include "results/comparison/hand_built_run.h"

namespace kmatrix::example {

inline RunInfo info() {
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

inline RunResult good_run() {
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

inline RunResult bad_run() {
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

// The series' mails as they came from a list: the second patch changes a test only.
inline RunResult mailed(RunResult run) {
    SeriesInfo& series = run.info.series;
    series.version = 2;
    series.message_id = "cover@example.org";
    const MailAddress author{"A Developer", "dev@example.org"};
    const std::vector<MailAddress> to = {{"Andrew Maintainer", "andrew@example.org"}};
    const std::vector<MailAddress> cc = {{"", "linux-mm@example.org"},
                                         {"Jörg Prüfer", "jp@example.org"},
                                         {"A Tester", "tester@example.org"}};
    series.cover = Letter{"[PATCH v2 0/2] proc: read less under the lock",
                          author,
                          "Thu, 1 Jan 2026 10:00:00 +0000",
                          "cover@example.org",
                          {"v1@example.org"},
                          to,
                          cc,
                          "Monitoring reads smaps_rollup all the time, and whoever maps memory\n"
                          "meanwhile waits. Read it under the lock of one VMA.\n"
                          "\n"
                          "Changes in v2: none that matter.\n",
                          {},
                          ""};
    series.letters = {
        {"[PATCH v2 1/2] proc: one",
         author,
         "Thu, 1 Jan 2026 10:00:01 +0000",
         "one@example.org",
         {"v1@example.org", "cover@example.org"},
         to,
         cc,
         "Take the lock of one VMA.\n\nSigned-off-by: A Developer <dev@example.org>\n",
         {"fs/proc/task_mmu.c"},
         "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"},
        {"[PATCH v2 2/2] selftests: two",
         author,
         "Thu, 1 Jan 2026 10:00:02 +0000",
         "two@example.org",
         {"v1@example.org", "cover@example.org"},
         to,
         cc,
         "Test it.\n",
         {"tools/testing/selftests/proc/proc-maps-race.c"},
         "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"}};
    run.info.matrix_file = "/home/tester/kmatrix/matrix/smaps-rollup.toml";
    series.source = "/home/tester/v2-patches";
    return run;
}

} // namespace kmatrix::example

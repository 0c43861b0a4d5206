// SPDX-License-Identifier: GPL-2.0-only
// Runs that the tests of the page and its pictures are made of.
#pragma once

#include "results/comparison/hand_built_run.h"
#include "results/reports/call_times.h"

namespace kmatrix::html_example {

// Half of the calls at most `mean_ms`, a tenth above twice that, one in a hundred above eight
// times.
inline Histogram histogram(double mean_ms) {
    const auto ns = [&](double times) { return static_cast<std::uint64_t>(times * mean_ms * 1e6); };
    return {{ns(0.5), 2'000}, {ns(1), 8'000}, {ns(2), 8'000}, {ns(8), 1'800}, {ns(10), 200}};
}

inline void benchmark_boots(RunResult& run, const std::string& cell,
                            const std::vector<double>& baseline,
                            const std::vector<double>& patched) {
    hand_built::benchmark_boots(run, Kernel::baseline, cell, baseline);
    hand_built::benchmark_boots(run, Kernel::patched, cell, patched);
    for (BootResult& boot : run.boots)
        for (Sample& sample : boot.samples)
            sample.histogram_ns = histogram(sample.mean_ms);
}

// Two cells; on x86_64 all is well, under emulation; on arm64 a test and a boot went wrong.
inline RunResult run() {
    Cell x86 = hand_built::cell(Arch::x86_64, 8);
    Cell arm = hand_built::cell(Arch::arm64, 8);
    x86.selftests = arm.selftests = {hand_built::selftest()};
    x86.benchmarks = {hand_built::benchmark(4)};
    RunResult run = hand_built::run({x86, arm});
    run.info.id = "20260101-120000";
    run.info.started = "2026-01-01T12:00:00Z";
    run.info.kmatrix_version = "0.1.0";
    run.info.matrix_file = "matrix/smaps-rollup.toml";
    run.info.baseline_commit = "0123456789abcdef0123456789abcdef01234567";
    run.info.baseline_describe = "7.3.4";
    run.info.series.subject = "proc: read less under the lock";
    run.info.series.author = "A Developer <dev@example.org>";
    run.info.series.patches = {"proc: one", "selftests: two"};
    run.info.machine = {Accel::tcg, "7.2.0", "9.0.0", "Some CPU", 2, false};
    for (const Cell& cell : {x86, arm})
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            BootResult& boot = hand_built::boot(run, kernel, cell.id);
            boot.vitals = Vitals{8,    2000000, "7.3.4", std::string(to_string(cell.axes.arch)),
                                 "",   "tsc",   "full",  250,
                                 4096, {}};
            boot.console = "cells/" + boot.id + "/console.log";
            boot.transcript = "cells/" + boot.id + "/transcript.jsonl";
            hand_built::test(boot, "proc-maps-race", Status::pass, "",
                             {hand_built::subtest("maps.tearing", "pass"),
                              hand_built::subtest("smaps.tearing", "pass")});
            hand_built::test(boot, "no-vsyscall", Status::skip, "no vsyscall here");
        }
    TestRun& race = run.boots.back().tests.front();
    race.status = Status::fail;
    race.reason = "exit 1";
    race.subtests.back() = hand_built::subtest("smaps.tearing", "fail", "Expected 1 == 2");
    run.boots.back().findings = {{"warning",
                                  "WARNING in show_map",
                                  "show_map",
                                  {"show_map"},
                                  {"WARNING: fs/proc/task_mmu.c:7 at show_map+0x1/0x2"},
                                  12}};
    benchmark_boots(run, x86.id, {1.00, 1.02, 0.98, 1.01}, {0.100, 0.102, 0.098, 0.101});
    for (BootResult& boot : run.boots)
        boot.machine = run.info.machine;
    return run;
}

// The same with texts that mean harm to a page, everywhere a guest or a series has its say.
inline RunResult hostile_run() {
    RunResult run = html_example::run();
    const std::string evil = "</pre></script><script>alert('1')</script><img src=x "
                             "onerror=\"alert(2)\">\x01\x1b[31m\xFF\xC3(&amp;\"'\xE2\x80\xAE";
    run.info.series.subject = "subject " + evil;
    run.info.series.author = "author " + evil;
    run.info.series.patches = {"patch " + evil};
    run.info.series.notes = {"note " + evil};
    run.info.machine.host_cpu = "cpu " + evil;
    run.infrastructure = {{"work " + evil, "error " + evil}};
    run.not_run = {"boot " + evil};
    hand_built::build(run, Kernel::patched).warnings = {
        {"file " + evil, "-Woption", "warning " + evil, 1}};
    hand_built::build(run, Kernel::patched).command = "make " + evil;
    for (BootResult& boot : run.boots) {
        boot.command = "again " + evil;
        boot.console = "javascript:\"><script>/console.log";
        if (boot.vitals)
            boot.vitals->release = "release " + evil;
        for (TestRun& test : boot.tests) {
            test.reason = "reason " + evil;
            test.test = "test " + evil;
            for (ktap::Test& subtest : test.subtests)
                subtest.name = "subtest " + evil;
        }
        for (Finding& finding : boot.findings) {
            finding.title = "title " + evil;
            finding.lines = {"line " + evil, "more " + evil};
        }
    }
    run.boots[1].outcome = Panicked{"panic " + evil};
    run.boots.back().sample_error = "fault " + evil;
    return run;
}

} // namespace kmatrix::html_example

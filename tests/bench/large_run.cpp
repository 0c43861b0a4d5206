// SPDX-License-Identifier: GPL-2.0-only
#include "tests/bench/large_run.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "results/comparison/hand_built_run.h"
#include "results/reports/example_runs.h"
#include "results/reports/html_example.h"

namespace kmatrix::bench {
namespace {

constexpr int programs = 50;
constexpr int subtests = 49;

std::vector<ktap::Test> results(Kernel kernel, int program) {
    std::vector<ktap::Test> tests;
    tests.reserve(subtests);
    for (int number = 1; number <= subtests; ++number) {
        const bool fails = kernel == Kernel::patched && (program * subtests + number) % 100 == 0;
        tests.push_back(hand_built::subtest(
            fmt::format("made_up.maps.test_of_what_program_{}_does_{}", program, number),
            fails ? "fail" : "pass", fails ? "Expected totals (12) == before & after (11)" : ""));
        if (fails)
            tests.back().diagnostics.assign(
                20, "# a line of what the test printed while it read <maps>, as long as such are");
    }
    return tests;
}

void add_functional_boot(RunResult& run, Kernel kernel, const Cell& cell) {
    BootResult& boot = hand_built::boot(run, kernel, cell.id);
    boot.vitals =
        Vitals{8,   2000000, "7.3.4", std::string(to_string(cell.axes.arch)), "", "tsc", "full",
               250, 4096,    {}};
    boot.console = "cells/" + boot.id + "/console.log";
    boot.transcript = "cells/" + boot.id + "/transcript.jsonl";
    for (int program = 0; program < programs; ++program) {
        auto tests = results(kernel, program);
        const bool fails = std::any_of(tests.begin(), tests.end(), [](const ktap::Test& test) {
            return test.status == "fail";
        });
        hand_built::test(boot, fmt::format("program-{}", program),
                         fails ? Status::fail : Status::pass, fails ? "exit 1" : "",
                         std::move(tests));
    }
}

} // namespace

RunResult large_run() {
    std::vector<Cell> cells;
    for (const Arch arch : {Arch::x86_64, Arch::arm64})
        for (const int vcpus : {2, 8}) {
            Cell cell = hand_built::cell(arch, vcpus);
            cell.selftests = {hand_built::selftest()};
            if (vcpus == 8)
                cell.benchmarks = {hand_built::benchmark()};
            cells.push_back(std::move(cell));
        }
    RunResult run = hand_built::run(cells);
    run.info = example::info();
    for (const Cell& cell : cells) {
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            add_functional_boot(run, kernel, cell);
        if (!cell.benchmarks.empty())
            html_example::benchmark_boots(run, cell.id, {1.00, 1.02, 0.98, 1.01, 0.99, 1.00},
                                          {0.100, 0.102, 0.098, 0.101, 0.099, 0.100});
    }
    for (BootResult& boot : run.boots)
        boot.machine = run.info.machine;
    return example::mailed(std::move(run));
}

} // namespace kmatrix::bench

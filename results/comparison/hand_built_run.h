// SPDX-License-Identifier: GPL-2.0-only
// Pieces that the tests of this folder build their runs of.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix::hand_built {

inline Cell cell(Arch arch = Arch::x86_64, int vcpus = 4) {
    Cell cell;
    cell.axes.arch = arch;
    cell.axes.vcpus = vcpus;
    cell.id = fmt::format("{}-default-{}cpu-gcc", to_string(arch), vcpus);
    return cell;
}

inline const std::string x86 = "x86_64-default-4cpu-gcc";
inline const std::string arm = "arm64-default-4cpu-gcc";

inline Selftest selftest(std::string target = "proc", std::string test = "") {
    Selftest selftest;
    selftest.target = std::move(target);
    selftest.test = std::move(test);
    return selftest;
}

inline Benchmark benchmark(int boots = 6, int samples = 1, std::string name = "smaps_rollup") {
    Benchmark benchmark;
    benchmark.name = std::move(name);
    benchmark.boots = boots;
    benchmark.samples = samples;
    return benchmark;
}

// Both kernels of each build are there, with different images.
inline RunResult run(std::vector<Cell> cells) {
    RunResult run;
    run.matrix.name = "hand-built";
    run.matrix.cells = std::move(cells);
    for (const BuildKey& key : plan(run.matrix).builds)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            BuildResult build;
            build.key = key;
            build.kernel = kernel;
            build.ok = true;
            build.image_sha256 = fmt::format("image of {}", to_string(kernel));
            run.builds.push_back(std::move(build));
        }
    return run;
}

inline BuildResult& build(RunResult& run, Kernel kernel, std::size_t nth = 0) {
    for (BuildResult& build : run.builds)
        if (build.kernel == kernel && nth-- == 0)
            return build;
    throw std::out_of_range("no such build");
}

inline void break_build(RunResult& run, Kernel kernel, std::string error) {
    BuildResult& broken = build(run, kernel);
    broken.ok = false;
    broken.error = std::move(error);
    broken.image_sha256.clear();
}

inline void make_images_equal(RunResult& run) {
    for (BuildResult& build : run.builds)
        build.image_sha256 = "the same image";
}

// A boot that completed, on a machine with two CPUs and KVM.
inline BootResult& boot(RunResult& run, Kernel kernel, const std::string& cell, int number = 1) {
    BootResult boot;
    boot.id = fmt::format("{}/{}/functional{}", cell, to_string(kernel),
                          number == 1 ? "" : fmt::format("-{}", number));
    boot.cell = cell;
    boot.kernel = kernel;
    boot.number = number;
    boot.machine.accel = Accel::kvm;
    boot.machine.host_cpus = 2;
    boot.command = "boot " + boot.id;
    run.boots.push_back(std::move(boot));
    return run.boots.back();
}

inline Sample sample(double mean_ms) {
    Sample sample;
    sample.index = 1;
    sample.seconds = 5;
    sample.maps = 10'000;
    sample.unmaps = 10'000;
    sample.mean_ms = mean_ms;
    sample.max_ms = 10 * mean_ms;
    sample.p50_ms = 0.9 * mean_ms;
    sample.p90_ms = 1.5 * mean_ms;
    sample.p99_ms = 3 * mean_ms;
    sample.p999_ms = 5 * mean_ms;
    sample.scans = 100;
    sample.scan_bytes = 64'000;
    sample.busy_loops = 1'000;
    sample.vmas_start = 8'000;
    sample.vmas_end = 8'010;
    return sample;
}

inline BootResult& benchmark_boot(RunResult& run, Kernel kernel, const std::string& cell,
                                  int number, const std::vector<double>& means_ms,
                                  const std::string& benchmark = "smaps_rollup") {
    BootResult& booted = boot(run, kernel, cell, number);
    booted.id = fmt::format("{}/{}/{}-{}", cell, to_string(kernel), benchmark, number);
    booted.benchmark = benchmark;
    for (const double mean_ms : means_ms) {
        booted.samples.push_back(sample(mean_ms));
        booted.samples.back().index = static_cast<int>(booted.samples.size());
    }
    return booted;
}

// One boot of one sample for each mean.
inline void benchmark_boots(RunResult& run, Kernel kernel, const std::string& cell,
                            const std::vector<double>& means_ms,
                            const std::string& benchmark = "smaps_rollup") {
    int number = 0;
    for (const double mean_ms : means_ms)
        benchmark_boot(run, kernel, cell, ++number, {mean_ms}, benchmark);
}

inline TestRun& test(BootResult& boot, const std::string& name, Status status,
                     const std::string& reason = "", std::vector<ktap::Test> subtests = {}) {
    TestRun run;
    run.target = "proc";
    run.test = name;
    run.status = status;
    run.reason = reason;
    run.seconds = 2;
    run.subtests = std::move(subtests);
    for (const TestRun& other : boot.tests)
        run.attempt += other.test == name ? 1 : 0;
    boot.tests.push_back(std::move(run));
    return boot.tests.back();
}

inline ktap::Test subtest(std::string name, std::string status, std::string reason = "",
                          std::vector<ktap::Test> children = {}) {
    ktap::Test test;
    test.name = std::move(name);
    test.status = status;
    test.effective = std::move(status);
    test.reason = std::move(reason);
    test.children = std::move(children);
    return test;
}

inline Finding finding(std::string klass, std::string title) {
    Finding finding;
    finding.klass = std::move(klass);
    finding.title = std::move(title);
    finding.lines = {"first line of " + finding.title};
    return finding;
}

} // namespace kmatrix::hand_built

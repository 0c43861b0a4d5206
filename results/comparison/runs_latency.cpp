// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/runs.h"

namespace kmatrix {

namespace {

const Benchmark* find_benchmark(const Cell& cell, const std::string& name) {
    const auto found =
        std::find_if(cell.benchmarks.begin(), cell.benchmarks.end(),
                     [&](const Benchmark& benchmark) { return benchmark.name == name; });
    return found == cell.benchmarks.end() ? nullptr : &*found;
}

// All that decides what a boot's figure is of; how many boots there are does not.
auto measurement(const Benchmark& benchmark) {
    return std::tie(benchmark.procfile, benchmark.scanner, benchmark.samples, benchmark.duration_s,
                    benchmark.busyduration_ms, benchmark.busycpus, benchmark.busytasks,
                    benchmark.fragment, benchmark.command, benchmark.pattern);
}

const BuildResult* baseline_of(const RunResult& run, const Cell& cell) {
    const auto found =
        std::find_if(run.builds.begin(), run.builds.end(), [&](const BuildResult& build) {
            return build.key == cell.build() && build.kernel == Kernel::baseline && build.ok &&
                   !build.image_sha256.empty();
        });
    return found == run.builds.end() ? nullptr : &*found;
}

// What the figures were measured on, in words: one, unless the boots of a run differ.
std::set<std::string> places(const RunResult& run, const std::string& cell,
                             const std::string& benchmark) {
    std::set<std::string> places;
    for (const BootResult& boot : run.boots)
        if (boot.cell == cell && boot.benchmark == benchmark)
            places.insert(fmt::format("{} x {}, QEMU {}, {}", boot.machine.host_cpus,
                                      boot.machine.host_cpu, boot.machine.qemu_version,
                                      to_string(boot.machine.accel)));
    return places;
}

std::string listed(const std::set<std::string>& words) {
    return join({words.begin(), words.end()}, " and ");
}

std::string kernel_text(const RunInfo& info) {
    return fmt::format("{} ({})", info.baseline_describe, info.baseline_commit.substr(0, 12));
}

const LatencyComparison* find(const std::vector<LatencyComparison>& all, const std::string& cell,
                              const std::string& benchmark) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const LatencyComparison& one) {
        return one.cell == cell && one.benchmark == benchmark;
    });
    return found == all.end() ? nullptr : &*found;
}

// The comparison of these benchmarks alone, so that Holm's correction counts no other.
std::vector<LatencyComparison> compare_these(RunResult run, const std::vector<LatencyChange>& these,
                                             const LatencyOptions& options) {
    for (Cell& cell : run.matrix.cells)
        std::erase_if(cell.benchmarks, [&](const Benchmark& benchmark) {
            return std::none_of(these.begin(), these.end(), [&](const LatencyChange& change) {
                return change.cell == cell.id && change.benchmark == benchmark.name &&
                       change.refused.empty();
            });
        });
    return compare_latency(run, compare_builds(run), options);
}

} // namespace

std::string why_not_direct(const RunResult& a, const RunResult& b, const std::string& cell,
                           const std::string& benchmark) {
    const Cell* cell_a = find_cell(a.matrix, cell);
    const Cell* cell_b = find_cell(b.matrix, cell);
    if (cell_a == nullptr || cell_b == nullptr)
        return "one run alone has the cell";
    const Benchmark* benchmark_a = find_benchmark(*cell_a, benchmark);
    const Benchmark* benchmark_b = find_benchmark(*cell_b, benchmark);
    if (benchmark_a == nullptr || benchmark_b == nullptr)
        return "one run alone has the benchmark";
    if (measurement(*benchmark_a) != measurement(*benchmark_b))
        return "the benchmark's options differ between the two matrix files";
    if (a.matrix.vm.memory_mib != b.matrix.vm.memory_mib ||
        a.matrix.vm.numa_nodes != b.matrix.vm.numa_nodes)
        return fmt::format("the guests differ: {} MiB and {} NUMA nodes in A, {} and {} in B",
                           a.matrix.vm.memory_mib, a.matrix.vm.numa_nodes, b.matrix.vm.memory_mib,
                           b.matrix.vm.numa_nodes);
    const BuildResult* image_a = baseline_of(a, *cell_a);
    const BuildResult* image_b = baseline_of(b, *cell_b);
    if (image_a == nullptr || image_b == nullptr)
        return fmt::format("there is no image of {}'s baseline", image_a == nullptr ? "A" : "B");
    if (image_a->image_sha256 != image_b->image_sha256)
        return a.info.baseline_commit == b.info.baseline_commit
                   ? "the baselines' images differ, though both are of " + kernel_text(a.info)
                   : fmt::format("the baselines are different kernels: {} in A, {} in B",
                                 kernel_text(a.info), kernel_text(b.info));
    const std::set<std::string> places_a = places(a, cell, benchmark);
    const std::set<std::string> places_b = places(b, cell, benchmark);
    if (places_a.empty() || places_b.empty())
        return fmt::format("{} has no boot of it", places_a.empty() ? "A" : "B");
    if (places_a.size() > 1 || places_a != places_b)
        return fmt::format("they were measured in different places: {} in A, {} in B",
                           listed(places_a), listed(places_b));
    return {};
}

std::vector<LatencyChange> compare_latency_of_runs(const RunResult& a, const RunResult& b,
                                                   const InRuns<Comparison>& own) {
    std::vector<LatencyChange> changes;
    for (const LatencyComparison& in_b : own.b.latency)
        if (const LatencyComparison* in_a = find(own.a.latency, in_b.cell, in_b.benchmark))
            changes.push_back({in_b.cell,
                               in_b.benchmark,
                               {*in_a, in_b},
                               {},
                               {},
                               why_not_direct(a, b, in_b.cell, in_b.benchmark)});

    // The same image twice: whatever this finds is the machine's doing.
    LatencyOptions a_a;
    a_a.same_image_too = true;
    for (const LatencyComparison& one :
         compare_these(between(a, b, Kernel::baseline), changes, a_a))
        for (LatencyChange& change : changes)
            if (change.cell == one.cell && change.benchmark == one.benchmark) {
                change.baselines = one;
                if (one.changed())
                    change.refused =
                        fmt::format("the baseline, one image in both runs, is {} in B: the machine "
                                    "was not the same on both occasions",
                                    speed_text(*one.ratio));
                else if (one.verdict == LatencyVerdict::refused)
                    change.refused = "the baselines did not measure the same thing";
                else if (one.verdict == LatencyVerdict::not_measured)
                    change.refused = "a baseline has no figure of it";
            }
    for (const LatencyComparison& one : compare_these(between(a, b, Kernel::patched), changes, {}))
        for (LatencyChange& change : changes)
            if (change.cell == one.cell && change.benchmark == one.benchmark) {
                if (one.verdict == LatencyVerdict::refused)
                    change.refused = "the two kernels' address spaces differ, or their machines do";
                else if (one.verdict == LatencyVerdict::not_measured)
                    change.refused = "a run has no figure of it";
                else
                    change.direct = one;
            }
    return changes;
}

} // namespace kmatrix

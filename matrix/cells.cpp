// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/cells.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/filter.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_boots = 100'000;

std::string key(const Point& point, std::string_view axis) {
    return fmt::format("{}.{}", point.section, axis);
}

// What a cell has of the entries of one kind. `chosen` are the names that an include gives.
template <class Entry>
std::vector<const Entry*> choose(const Point& point, const std::vector<Entry>& entries,
                                 const std::optional<std::vector<Placed<std::string>>>& chosen,
                                 std::string_view kind, const auto& name_of, const auto& only_of,
                                 std::vector<bool>& used, Complaints& complaints) {
    std::vector<const Entry*> mine;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        names.push_back(name_of(entries[i]));
        const bool wanted =
            !chosen || std::any_of(chosen->begin(), chosen->end(),
                                   [&](const auto& name) { return name.value == names[i]; });
        if (!wanted || !only_of(entries[i]).matches(point.axes))
            continue;
        used[i] = true;
        mine.push_back(&entries[i]);
    }
    if (!chosen)
        return mine;
    for (const Placed<std::string>& name : *chosen) {
        const auto is_it = [&](const Entry* entry) { return name_of(*entry) == name.value; };
        const bool exists = std::find(names.begin(), names.end(), name.value) != names.end();
        if (!exists)
            complaints.add(
                name.place, fmt::format("include.{}s", kind),
                fmt::format("\"{}\" is no [[{}]] of this file{}{}", printable(name.value), kind,
                            did_you_mean(name.value, names),
                            names.empty() ? "" : " (there are " + join(names, ", ") + ")"));
        else if (std::none_of(mine.begin(), mine.end(), is_it))
            complaints.add(name.place, fmt::format("include.{}s", kind),
                           fmt::format("\"{}\" cannot run in the cell {}: its `only` does not "
                                       "match",
                                       name.value, cell_id(point.axes)));
    }
    return mine;
}

void check_twice(const std::vector<const SelftestEntry*>& mine, const std::string& cell,
                 Complaints& complaints) {
    for (std::size_t i = 0; i < mine.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Selftest& a = mine[j]->selftest;
            const Selftest& b = mine[i]->selftest;
            if (a.target != b.target || (a.test != b.test && !a.test.empty() && !b.test.empty()))
                continue;
            complaints.add(mine[i]->place, "selftest",
                           fmt::format("{} runs in the cell {} already, by line {}; expected each "
                                       "test once there (repeat = N runs it more often)",
                                       selftest_name(b.test.empty() ? a : b), cell,
                                       mine[j]->place.line));
        }
    }
}

void check_point(const Point& point, const VmSection& vm, Complaints& complaints) {
    const std::vector<std::string> parts = split(point.axes.config, '+');
    if (point.axes.arch == Arch::x86_64 &&
        std::find(parts.begin(), parts.end(), "64k") != parts.end())
        complaints.add(value_place(point, "config"), key(point, "config"),
                       fmt::format("\"{}\" with arch x86_64, which has no 64K pages; expected it "
                                   "with arm64 only (use [[exclude]], or an [[include]] for it)",
                                   point.axes.config));
    if (point.axes.vcpus < vm.vm.numa_nodes)
        complaints.add(vm.numa_nodes_place, "vm.numa_nodes",
                       fmt::format("{}: more nodes than the {} vCPUs of the cell {}",
                                   vm.vm.numa_nodes, point.axes.vcpus, cell_id(point.axes)));
}

// Only files of the user's with one name in two folders do this.
void check_id(const Cell& cell, const std::vector<Cell>& before, const Point& point,
              Complaints& complaints) {
    const bool taken = std::any_of(before.begin(), before.end(), [&](const Cell& other) {
        return other.id == cell.id && other.axes != cell.axes;
    });
    if (taken)
        complaints.add(value_place(point, "config"), key(point, "config"),
                       fmt::format("another config file of that name makes a cell {} too; expected "
                                   "names that differ",
                                   cell.id));
}

void check_benchmark(const Point& point, const BenchmarkEntry& entry, Complaints& complaints) {
    const Benchmark& benchmark = entry.benchmark;
    const Axes& axes = point.axes;
    if (is_debug(axes.config))
        complaints.add(value_place(point, "config"), key(point, "config"),
                       fmt::format("the benchmark \"{}\" would run on the debug config \"{}\", "
                                   "whose checks change what is measured; expected none there ({})",
                                   benchmark.name, axes.config,
                                   point.section == "include"
                                       ? "put benchmarks = [] into this include"
                                       : "give it an `only` that leaves this config out"));
    if (axes.vcpus < fewest_benchmark_vcpus)
        complaints.add(value_place(point, "vcpus"), key(point, "vcpus"),
                       fmt::format("{}: the benchmark \"{}\" needs at least {}", axes.vcpus,
                                   benchmark.name, fewest_benchmark_vcpus));
    else if (benchmark.command.empty() && benchmark.busycpus + 2 > axes.vcpus)
        complaints.add(entry.busycpus_place, "benchmark.busycpus",
                       fmt::format("{}: the cell {} has {} vCPUs, of which one is the mapper's and "
                                   "one stays free; expected at most {}",
                                   benchmark.busycpus, cell_id(axes), axes.vcpus, axes.vcpus - 2));
}

// A value of `only` that no cell has is a slip of the pen, even if another value matches.
void check_only(const Filter& only, const std::vector<Point>& points, Place place,
                std::string_view kind, Complaints& complaints) {
    for (const auto& [name, values] : only.values) {
        const Axis* axis = find_axis(name);
        for (const std::string& value : values) {
            const bool has = std::any_of(points.begin(), points.end(), [&](const Point& point) {
                return axis != nullptr && axis->show(point.axes) == value;
            });
            if (!has)
                complaints.add(place, fmt::format("{}.only", kind),
                               fmt::format("no cell has {}={}", name, value));
        }
    }
}

} // namespace

std::vector<Cell> make_cells(const std::vector<Point>& points,
                             const std::vector<SelftestEntry>& selftests,
                             const std::vector<BenchmarkEntry>& benchmarks, const VmSection& vm,
                             Complaints& complaints) {
    const bool sound = complaints.empty(); // otherwise "no cell runs it" may only be a consequence
    std::vector<bool> used_selftests(selftests.size()), used_benchmarks(benchmarks.size());
    std::vector<Cell> cells;
    std::size_t boots = 0;
    for (const Point& point : points) {
        Cell cell{cell_id(point.axes), point.axes, {}, {}};
        check_point(point, vm, complaints);
        check_id(cell, cells, point, complaints);
        const auto my_selftests = choose(
            point, selftests, point.selftests, "selftest",
            [](const SelftestEntry& e) { return selftest_name(e.selftest); },
            [](const SelftestEntry& e) { return e.selftest.only; }, used_selftests, complaints);
        check_twice(my_selftests, cell.id, complaints);
        for (const SelftestEntry* entry : my_selftests)
            cell.selftests.push_back(entry->selftest);
        const auto my_benchmarks = choose(
            point, benchmarks, point.benchmarks, "benchmark",
            [](const BenchmarkEntry& e) { return e.benchmark.name; },
            [](const BenchmarkEntry& e) { return e.benchmark.only; }, used_benchmarks, complaints);
        for (const BenchmarkEntry* entry : my_benchmarks) {
            check_benchmark(point, *entry, complaints);
            boots += 2 * static_cast<std::size_t>(entry->benchmark.boots);
            cell.benchmarks.push_back(entry->benchmark);
        }
        cells.push_back(std::move(cell));
    }
    if (boots > most_boots)
        complaints.add({}, "benchmark",
                       fmt::format("{} boots in all, expected at most {}", boots, most_boots));
    if (!sound)
        return cells;
    for (std::size_t i = 0; i < selftests.size(); ++i) {
        check_only(selftests[i].selftest.only, points, selftests[i].only_place, "selftest",
                   complaints);
        if (!used_selftests[i])
            complaints.add(selftests[i].place, "selftest",
                           selftest_name(selftests[i].selftest) + " runs in no cell");
    }
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
        check_only(benchmarks[i].benchmark.only, points, benchmarks[i].only_place, "benchmark",
                   complaints);
        if (!used_benchmarks[i])
            complaints.add(benchmarks[i].place, "benchmark",
                           benchmarks[i].benchmark.name + " runs in no cell");
    }
    return cells;
}

} // namespace kmatrix

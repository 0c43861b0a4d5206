// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/host.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

std::string cells_text(const std::vector<std::string>& ids) {
    return fmt::format("{} {}", ids.size() == 1 ? "cell" : "cells", join(ids, ", "));
}

void warn_of_many_vcpus(const Matrix& matrix, const Host& host, std::vector<std::string>& advice) {
    for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
        std::vector<std::string> ids;
        for (const Cell& cell : matrix.cells)
            if (cell.axes.arch == arch && cell.axes.vcpus > easy_emulated_vcpus(arch) &&
                cell.axes.vcpus > host.cpus)
                ids.push_back(cell.id);
        if (!ids.empty() && host.emulated.count(arch) != 0)
            advice.push_back(fmt::format(
                "{}: more than {} emulated {} vCPUs on {} host CPUs boot slowly, some not at all; "
                "deadlines are stretched, and a stall seen there is no verdict",
                cells_text(ids), easy_emulated_vcpus(arch), to_string(arch), host.cpus));
    }
}

void warn_of_overcommitment(const Matrix& matrix, const Host& host,
                            std::vector<std::string>& advice) {
    std::vector<std::string> names;
    for (const Cell& cell : matrix.cells)
        for (const Benchmark& benchmark : cell.benchmarks)
            if (benchmark.force && busy_vcpus(benchmark) > host.cpus &&
                std::find(names.begin(), names.end(), benchmark.name) == names.end()) {
                names.push_back(benchmark.name);
                advice.push_back(fmt::format(
                    "benchmark {}: keeps {} vCPUs busy on {} host CPUs because it says force; its "
                    "figures are the host scheduler's as much as the kernel's",
                    benchmark.name, busy_vcpus(benchmark), host.cpus));
            }
}

void warn_of_gate(const Matrix& matrix, const Host& host, std::vector<std::string>& advice) {
    std::size_t measured = 0, emulated = 0;
    for (const Cell& cell : matrix.cells) {
        measured += cell.benchmarks.size();
        if (host.emulated.count(cell.axes.arch) != 0)
            emulated += cell.benchmarks.size();
    }
    if (matrix.gate.latency && !matrix.gate.latency_emulated && measured != 0 &&
        measured == emulated)
        advice.push_back("gate.latency gates nothing here: every benchmark runs under emulation "
                         "(gate.latency_emulated would gate on emulated figures)");
    if (matrix.gate.latency_emulated && emulated != 0)
        advice.push_back("gate.latency_emulated: figures measured under emulation can fail this "
                         "run; they need not hold on hardware");
}

// Smallest two-sided p of the exact permutation test with so many boots a side: 2 / C(2B, B).
double smallest_p(int boots) {
    double ways = 1;
    for (int i = 1; i <= boots; ++i)
        ways = ways * (boots + i) / i;
    return 2 / ways;
}

void warn_of_few_boots(const Matrix& matrix, std::vector<std::string>& advice) {
    std::size_t endpoints = 0;
    for (const Cell& cell : matrix.cells)
        endpoints += cell.benchmarks.size();
    const auto reaches = [&](int boots) {
        return smallest_p(boots) * static_cast<double>(endpoints) < 0.05;
    };
    std::map<std::string, int> few; // by name, as every cell has the same benchmark
    for (const Cell& cell : matrix.cells)
        for (const Benchmark& benchmark : cell.benchmarks)
            if (!reaches(benchmark.boots))
                few.emplace(benchmark.name, benchmark.boots);
    int enough = fewest_boots;
    while (!reaches(enough))
        ++enough;
    for (const auto& [name, boots] : few)
        advice.push_back(fmt::format(
            "benchmark {}: with {} boots a side the exact permutation test cannot reach 0.05 once "
            "Holm's correction for {} comparisons is paid for; {} boots can",
            name, boots, endpoints, enough));
}

} // namespace

int easy_emulated_vcpus(Arch arch) {
    return arch == Arch::x86_64 ? 8 : 24;
}

std::vector<std::string> advice(const Matrix& matrix, const Host& host) {
    std::vector<std::string> advice;
    warn_of_many_vcpus(matrix, host, advice);
    warn_of_overcommitment(matrix, host, advice);
    warn_of_gate(matrix, host, advice);
    warn_of_few_boots(matrix, advice);
    return advice;
}

Result<void> check_host(const Matrix& matrix, const Host& host) {
    for (const Cell& cell : matrix.cells)
        for (const Benchmark& benchmark : cell.benchmarks)
            if (!benchmark.force && busy_vcpus(benchmark) > host.cpus)
                return user_error(fmt::format(
                    "{}: the benchmark \"{}\" keeps {} vCPUs busy at once (the mapper's and {} "
                    "that are scanned from), and this host has {} CPUs; lower busycpus, or say "
                    "force = true and read its figures with care",
                    matrix.file.string(), benchmark.name, busy_vcpus(benchmark), benchmark.busycpus,
                    host.cpus));
    return {};
}

} // namespace kmatrix

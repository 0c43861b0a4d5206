// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/estimate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "matrix/sections.h"

namespace kmatrix {
namespace {

constexpr double longest_s = 7 * 24 * 3600.0;

bool is_duration(double seconds) {
    return std::isfinite(seconds) && seconds >= 0 && seconds <= longest_s;
}

// Cold builds of Linux 7.3.4 from a small config with -j2 on two cores: x86_64 218 s, arm64 287 s
// on a half busy machine. Work grows with what a config switches on, clang takes about 1.4 times
// gcc's time, and the patched kernel is built from the baseline's output: 9 s for a change to one
// .c file, half of a cold build for a central header. Make uses every CPU.
double guess(const BuildKey& build, Kernel kernel, const Host& host) {
    double seconds = build.arch == Arch::x86_64 ? 218 : 260;
    if (is_debug(build.config))
        seconds *= 1.4;
    if (build.compiler == "clang")
        seconds *= 1.4;
    seconds *= 2.0 / std::max(1, host.cpus);
    return kernel == Kernel::baseline ? seconds : 10 + seconds / 10;
}

// From power-on to init. Measured under TCG on two cores, with thread=multi: x86_64 3.1 s with 4 or
// 8 vCPUs, 9.2 s with 16, 24 to 31 s with 24; arm64 1.1, 1.4 and 2.7 s with 4, 8 and 24, and
// anything up to 100 s with 48.
double guess_boot_s(const Axes& axes, bool emulated) {
    if (!emulated)
        return 1 + 0.02 * axes.vcpus;
    const double vcpus = axes.vcpus;
    const double easy = axes.arch == Arch::x86_64 ? 3.1 : 1 + 0.07 * std::min(vcpus, 24.0);
    const double knee = axes.arch == Arch::x86_64 ? 8 : 24;
    const double slope = axes.arch == Arch::x86_64 ? 2 : 4;
    const double seconds = easy * std::pow(std::max(1.0, vcpus / knee), slope);
    return is_debug(axes.config) ? 2 * seconds : seconds;
}

// proc-maps-race takes 30 s, kselftest's limit is 45 s; a whole target takes minutes.
double guess_tests_s(const std::vector<Selftest>& selftests) {
    double seconds = 0;
    for (const Selftest& selftest : selftests)
        seconds += (selftest.test.empty() ? 180 : 30) * selftest.repeat;
    return seconds;
}

double guess(const Matrix& matrix, const PlannedBoot& boot, const Host& host) {
    const Cell& cell = matrix.cells[boot.cell];
    constexpr double around_s = 3; // libvirt's create and stop
    const bool emulated = host.emulated.count(cell.axes.arch) != 0;
    double seconds = around_s + guess_boot_s(cell.axes, emulated);
    if (boot.benchmark) {
        const Benchmark& benchmark = cell.benchmarks[*boot.benchmark];
        // Each sample builds its address space anew.
        seconds += benchmark.samples * (benchmark.duration_s + (emulated ? 3 : 1));
    } else if (!boot.reruns.empty()) {
        for (const Rerun& rerun : boot.reruns)
            seconds += rerun.times * rerun.each_s;
    } else {
        seconds += guess_tests_s(cell.selftests);
    }
    return seconds;
}

std::string what_runs(const Cell& cell, const PlannedBoot& boot) {
    if (boot.benchmark) {
        const Benchmark& benchmark = cell.benchmarks[*boot.benchmark];
        return fmt::format("{}/{}x{}s", benchmark.name, benchmark.samples, benchmark.duration_s);
    }
    std::string tests;
    for (const Rerun& rerun : boot.reruns)
        tests += fmt::format("{}:{} x{} again\n", rerun.target, rerun.test, rerun.times);
    for (const Selftest& selftest : cell.selftests)
        tests += fmt::format("{} x{}\n", selftest_name(selftest), selftest.repeat);
    return "functional/" + sha256(tests).substr(0, 8);
}

Expected look_up(const Durations& durations, const std::string& key, double guessed) {
    const auto found = durations.seconds.find(key);
    if (found == durations.seconds.end())
        return {guessed, false};
    return {found->second, true};
}

} // namespace

Result<Durations> parse_durations(std::string_view json) {
    const nlohmann::json root = nlohmann::json::parse(json, nullptr, false);
    if (!root.is_object() || root.value("version", nlohmann::json()) != 1 ||
        !root.contains("seconds") || !root["seconds"].is_object())
        return infrastructure_error("no record of durations: expected a JSON object with "
                                    "\"version\": 1 and \"seconds\"");
    Durations durations;
    for (const auto& [key, value] : root["seconds"].items())
        if (value.is_number() && is_duration(value.get<double>()))
            durations.seconds[key] = value.get<double>();
    return durations;
}

std::string durations_json(const Durations& durations) {
    const nlohmann::json root{{"version", 1}, {"seconds", durations.seconds}};
    return root.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void learn(Durations& durations, const std::string& key, double seconds) {
    if (!is_duration(seconds))
        return;
    const auto [entry, is_new] = durations.seconds.emplace(key, seconds);
    if (!is_new)
        entry->second = (entry->second + seconds) / 2;
}

std::string duration_key(const BuildKey& build, Kernel kernel) {
    return fmt::format("build/{}/{}/{}/{}", to_string(build.arch), build.config, build.compiler,
                       to_string(kernel));
}

std::string duration_key(const Matrix& matrix, const PlannedBoot& boot, const Host& host) {
    const Cell& cell = matrix.cells[boot.cell];
    const bool emulated = host.emulated.count(cell.axes.arch) != 0;
    return fmt::format("boot/{}/{}/{}", cell.id, emulated ? "emulated" : "hardware",
                       what_runs(cell, boot));
}

Expected expected(const BuildKey& build, Kernel kernel, const Durations& durations,
                  const Host& host) {
    return look_up(durations, duration_key(build, kernel), guess(build, kernel, host));
}

Expected expected(const Matrix& matrix, const PlannedBoot& boot, const Durations& durations,
                  const Host& host) {
    return look_up(durations, duration_key(matrix, boot, host), guess(matrix, boot, host));
}

Estimate estimate(const Matrix& matrix, const Plan& plan, const Durations& durations,
                  const Host& host) {
    Estimate estimate;
    const auto add = [&](const Expected& part, double& sum) {
        sum += part.seconds;
        ++(part.measured ? estimate.measured : estimate.guessed);
    };
    for (const BuildKey& build : plan.builds)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            add(expected(build, kernel, durations, host), estimate.builds_s);
    for (const PlannedBoot& boot : plan.boots)
        add(expected(matrix, boot, durations, host), estimate.boots_s);
    return estimate;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/reply_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "results/reports/tested_by.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_tests_named = 3;

// "Intel(R) Xeon(R) Processor" without what lawyers put in it.
std::string cpu_name(std::string name) {
    for (const std::string_view mark : {"(R)", "(TM)", "(r)", "(tm)"})
        for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark))
            name.erase(at, mark.size());
    return one_line(name);
}

std::string accelerators_text(const RunResult& run) {
    const auto word = [](const std::string& how) {
        return how == "KVM" ? how : how + " (emulated)";
    };
    const std::vector<Arch> all = architectures(run);
    std::vector<std::string> parts;
    parts.reserve(all.size());
    std::set<std::string> ways;
    for (const Arch arch : all) {
        const std::string how = accelerator(run, arch);
        ways.insert(how);
        parts.push_back(fmt::format("{} for {}", word(how), to_string(arch)));
    }
    return ways.size() == 1 ? word(*ways.begin()) : join(parts, ", ");
}

// " (configs default, default+debug)"; nothing where there is but the default.
std::string configs_text(const RunResult& run) {
    std::vector<std::string> configs;
    for (const Cell& cell : run.matrix.cells) {
        std::string config = config_name(cell.axes.config);
        if (std::find(configs.begin(), configs.end(), config) == configs.end())
            configs.push_back(std::move(config));
    }
    if (configs.size() == 1 && configs.front() == "default")
        return "";
    return fmt::format(" (config{} {})", configs.size() == 1 ? "" : "s", join(configs, ", "));
}

std::string reply_counts(const TestCounts& counts) {
    const std::pair<std::size_t, const char*> all[] = {
        {counts.passes, counts.passes == 1 ? "passes on both kernels" : "pass on both kernels"},
        {counts.regressed, "regressed"},
        {counts.fixed, "fixed"},
        {counts.appeared, "new"},
        {counts.fails, "fail on both"},
        {counts.flaky, "flaky"},
        {counts.missing, "missing"},
        {counts.skipped, "skipped"},
        {counts.not_compared, "not compared"},
    };
    std::vector<std::string> parts;
    for (const auto& [number, words] : all) {
        if (number == 0)
            continue;
        const char* noun = !parts.empty() ? "" : number == 1 ? " test" : " tests";
        parts.push_back(fmt::format("{}{} {}", number, noun, words));
    }
    return join(parts, ", ");
}

// Names of the tests with this verdict, each once, however many cells it has it in.
std::string names_text(const Comparison& comparison, TestVerdict verdict,
                       const std::string& words) {
    std::vector<std::string> names;
    for (const TestComparison& test : comparison.tests)
        if (test.counted && test.verdict == verdict &&
            std::find(names.begin(), names.end(), name(test)) == names.end())
            names.push_back(name(test));
    if (names.empty())
        return "";
    const std::size_t others = names.size() - std::min(names.size(), most_tests_named);
    names.resize(names.size() - others);
    return fmt::format(" {}: {}{}.", words, join(names, ", "),
                       others == 0 ? "" : fmt::format(" and {} more", others));
}

std::string targets_text(const RunResult& run) {
    std::set<std::string> targets;
    for (const Cell& cell : run.matrix.cells)
        for (const Selftest& selftest : cell.selftests)
            targets.insert(selftest.target);
    return join({targets.begin(), targets.end()}, ", ");
}

std::string splats_text(const Comparison& comparison) {
    std::size_t blamed = 0;
    std::size_t on_both = 0;
    for (const FindingComparison& finding : comparison.findings) {
        blamed += finding.verdict == FindingVerdict::blamed ? 1 : 0;
        on_both += finding.verdict == FindingVerdict::on_both ? 1 : 0;
    }
    std::string text = blamed == 0   ? "no new splats"
                       : blamed == 1 ? "1 new splat"
                                     : fmt::format("{} new splats", blamed);
    if (on_both > 0)
        text += fmt::format(" ({} that the baseline shows too)", on_both);
    return text;
}

} // namespace

std::string method_text(const RunResult& run) {
    const RunInfo& info = run.info;
    const std::vector<Arch> all = architectures(run);
    std::vector<std::string> archs;
    archs.reserve(all.size());
    std::set<int> vcpus;
    for (const Arch arch : all)
        archs.emplace_back(to_string(arch));
    for (const Cell& cell : run.matrix.cells)
        vcpus.insert(cell.axes.vcpus);
    return wrapped(
        one_line(fmt::format(
            "Linux {} ({}) with and without the series on {}, {} vCPUs, QEMU {} with {} on {} "
            "x {}.",
            info.baseline_describe, info.baseline_commit.substr(0, 12), join(archs, " and "),
            fmt::join(vcpus, ", "), info.machine.qemu_version, accelerators_text(run),
            info.machine.host_cpus, cpu_name(info.machine.host_cpu))),
        "", reply_width);
}

std::string boots_and_tests_text(const RunResult& run, const Comparison& comparison) {
    std::size_t planned = 0;
    std::size_t completed = 0;
    for (const BootComparison& boots : comparison.boots)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            planned += boots.side.of(kernel).planned;
            completed += boots.side.of(kernel).completed;
        }
    std::string text = planned == completed && run.not_run.empty()
                           ? fmt::format("All {} boots complete", planned)
                           : fmt::format("{} of {} boots complete", completed, planned);
    if (!run.not_run.empty())
        text += fmt::format(" ({} not run)", run.not_run.size());
    text += ", " + splats_text(comparison) + ".";
    const TestCounts counts = count(comparison.tests);
    if (counts.all() > 0)
        text += fmt::format(" kselftest {}: {}{}.", targets_text(run), reply_counts(counts),
                            configs_text(run));
    text += names_text(comparison, TestVerdict::fails, "Failing on both");
    text += names_text(comparison, TestVerdict::flaky, "Flaky");
    return wrapped(one_line(text), "", reply_width);
}

std::string quote(const Letter& letter, std::size_t lines) {
    if (lines == 0 || letter.text.empty())
        return "";
    const std::string who =
        one_line(letter.from.name.empty() ? letter.from.address : letter.from.name);
    const std::string date = one_line(letter.date);
    std::vector<std::string> quoted;
    bool ended = false;
    bool cut = false;
    for (const std::string& line : split(letter.text, '\n')) {
        const std::string_view text = trim(line);
        // A "From:" that stands first in a body is for git.
        if (quoted.empty() && (text.empty() || text.starts_with("From: ")))
            continue;
        ended |= text.empty() || quoted.size() == lines;
        cut |= ended && !text.empty();
        if (!ended)
            quoted.push_back("> " + line + "\n");
    }
    if (quoted.empty() || who.empty())
        return "";
    return wrapped(date.empty() ? who + " wrote:" : fmt::format("On {}, {} wrote:", date, who), "",
                   reply_width) +
           join(quoted, "") + (cut ? "> [...]\n" : "");
}

} // namespace kmatrix

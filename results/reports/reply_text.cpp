// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/reply_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "results/comparison/latency_text.h"
#include "results/reports/latency_text.h"
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
    std::vector<std::string> parts;
    std::set<std::string> ways;
    for (const Arch arch : architectures(run)) {
        const std::string how = accelerator(run, arch);
        ways.insert(how);
        parts.push_back(fmt::format("{} for {}", word(how), to_string(arch)));
    }
    return ways.size() == 1 ? word(*ways.begin()) : join(parts, ", ");
}

// "6 boots", "4 to 6 boots"; of the benchmarks, on each side.
std::string boots_a_side(const RunResult& run) {
    std::set<int> boots;
    for (const Cell& cell : run.matrix.cells)
        for (const Benchmark& benchmark : cell.benchmarks)
            boots.insert(benchmark.boots);
    if (boots.empty())
        return "";
    return boots.size() == 1 ? fmt::format("{} boots", *boots.begin())
                             : fmt::format("{} to {} boots", *boots.begin(), *boots.rbegin());
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

std::string counts_text(const TestCounts& counts) {
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

// Where it was measured, as far as that tells it from the others.
std::string where(const LatencyComparison& latency, const Comparison& comparison) {
    const Axes& axes = latency.axes;
    const auto alike = std::count_if(
        comparison.latency.begin(), comparison.latency.end(), [&](const LatencyComparison& other) {
            return other.benchmark == latency.benchmark && other.axes.arch == axes.arch;
        });
    if (alike == 1)
        return std::string(to_string(axes.arch));
    return fmt::format("{} ({} vCPUs, {}, {}{})", to_string(axes.arch), axes.vcpus,
                       config_name(axes.config), axes.compiler,
                       axes.cmdline.empty() ? "" : ", " + axes.cmdline);
}

std::string result_text(const LatencyComparison& latency) {
    const std::string margin = fmt::format("{:.2g} %", 100 * latency.margin);
    const auto with_why = [&](const std::string& words) {
        return words + (latency.why.empty() ? "" : ": " + latency.why) +
               (latency.settle.empty() ? "" : "; it would take " + latency.settle);
    };
    switch (latency.verdict) {
    case LatencyVerdict::faster:
    case LatencyVerdict::slower:
        return speed_text(*latency.ratio);
    case LatencyVerdict::changed_but_small:
        return speed_text(*latency.ratio) + ", within the margin of " + margin;
    case LatencyVerdict::equivalent:
        return "the same within " + margin;
    case LatencyVerdict::inconclusive:
    case LatencyVerdict::refused:
    case LatencyVerdict::same_image:
    case LatencyVerdict::not_measured:
        return with_why(std::string(to_string(latency.verdict)));
    }
    return {};
}

std::string row(const std::string& label, double baseline, double patched,
                const std::string& ratio) {
    if (baseline <= 0 && patched <= 0)
        return "";
    return fmt::format("  {:<16}{:>10}{:>11}{:>9}", label, ms_text(baseline), ms_text(patched),
                       ratio);
}

std::string ratio_text(double baseline, double patched) {
    return baseline > 0 && patched > 0 ? significant_text(patched / baseline) : "-";
}

std::string described_row(const std::string& label, double baseline, double patched) {
    const std::string text = row(label, baseline, patched, ratio_text(baseline, patched));
    return text.empty() ? text : text + "\n";
}

} // namespace

std::string method_text(const RunResult& run) {
    const RunInfo& info = run.info;
    std::vector<std::string> archs;
    std::set<int> vcpus;
    for (const Arch arch : architectures(run))
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
        text += fmt::format(" kselftest {}: {}{}.", targets_text(run), counts_text(counts),
                            configs_text(run));
    text += names_text(comparison, TestVerdict::fails, "Failing on both");
    text += names_text(comparison, TestVerdict::flaky, "Flaky");
    return wrapped(one_line(text), "", reply_width);
}

std::string reply_table(const Comparison& comparison, const LatencyComparison& latency) {
    std::string text = wrapped(
        one_line(fmt::format("{} on {}: {}{}{}", latency.benchmark, where(latency, comparison),
                             latency.own_command || !latency.ratio ? "" : "mmap/munmap calls ",
                             result_text(latency), latency.emulated ? ", emulated" : "")),
        "  ", reply_width);
    if (!latency.ratio)
        return text;
    const LatencySide& baseline = latency.side.baseline;
    const LatencySide& patched = latency.side.patched;
    text += fmt::format("  {:<16}{:>10}{:>11}{:>9}{}\n", "ms a call", "baseline", "patched",
                        "ratio", latency.test ? "   95 % interval" : "");
    text += row(latency.emulated ? "mean, emulated" : "mean", baseline.mean_ms, patched.mean_ms,
                significant_text(*latency.ratio));
    if (latency.test)
        text += fmt::format("   {} to {}", significant_text(latency.test->ratio_95.low),
                            significant_text(latency.test->ratio_95.high));
    text += "\n";
    text += described_row("p50", baseline.p50_ms, patched.p50_ms);
    text += described_row("p99", baseline.p99_ms, patched.p99_ms);
    text += described_row("maximum", baseline.max_ms, patched.max_ms);
    return text;
}

std::string table_note(const RunResult& run, const Comparison& comparison) {
    const auto any = [&](auto&& is) {
        return std::any_of(comparison.latency.begin(), comparison.latency.end(), is);
    };
    if (!any([](const LatencyComparison& latency) { return latency.ratio.has_value(); }))
        return "";
    std::string text = fmt::format(
        "The mean is over {} a side, in turn, and tested (Welch); the other rows are described.",
        boots_a_side(run));
    if (any([](const LatencyComparison& latency) { return latency.emulated; }))
        text += " Emulated times compare the two kernels with each other and say nothing of "
                "hardware.";
    return wrapped(text, "", reply_width);
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

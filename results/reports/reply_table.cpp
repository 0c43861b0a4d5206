// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "results/comparison/latency_text.h"
#include "results/reports/latency_text.h"
#include "results/reports/reply_text.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

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

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/latency_text.h"
#include "results/reports/versions_text.h"
#include "results/reports/wrap.h"
#include "results/versions.h"

namespace kmatrix {
namespace {

constexpr std::size_t lines_of_a_regression = 30;
constexpr std::size_t boots_listed = 10;

std::string counted(std::size_t count, const std::string& singular) {
    return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string head(const RunResult& run, const Comparison& comparison) {
    const RunInfo& info = run.info;
    std::string text = wrapped(comparison.verdict, "");
    text += "\n";
    if (run.info.noise)
        text += "series    none: an A/A run, with the baseline on both sides\n";
    else
        text += wrapped(fmt::format("series    {} (v{}, {}), {}", info.series.subject,
                                    info.series.version,
                                    info.series.patches.size() == 1
                                        ? "1 patch"
                                        : fmt::format("{} patches", info.series.patches.size()),
                                    info.series.author),
                        "          ");
    text += wrapped(fmt::format("baseline  Linux {} ({})", info.baseline_describe,
                                info.baseline_commit.substr(0, 12)),
                    "          ");
    if (run.known.earlier_version)
        text += wrapped("earlier   " + sentence(*run.known.earlier_version), "          ");
    const Machine& machine = info.machine;
    text += wrapped(
        fmt::format("machine   {} x {}; QEMU {}, libvirt {}; guests under {}", machine.host_cpus,
                    machine.host_cpu, machine.qemu_version, machine.libvirt_version,
                    comparison.emulated ? "TCG: every time below is EMULATED, and compares the two "
                                          "kernels with each other and with nothing else"
                                        : "KVM"),
        "          ");
    text +=
        fmt::format("run       {}, {}, kmatrix {}\n", info.id, info.started, info.kmatrix_version);
    for (const auto* notes : {&info.series.notes, &info.notes, &comparison.notes})
        for (const std::string& note : *notes)
            text += wrapped("note      " + note, "          ");
    return text;
}

std::string regressions(const Comparison& comparison) {
    if (comparison.regressions.empty())
        return "";
    std::string text = "\nWHAT GOT WORSE\n";
    for (const Regression& regression : comparison.regressions) {
        text += wrapped(fmt::format("* {}: {}{}", regression.cell, regression.what,
                                    regression.gates ? "" : " (does not gate here)"),
                        "  ");
        if (regression.what.find(regression.line) == std::string::npos)
            text += "    " + regression.line + "\n";
        std::size_t shown = 0;
        for (const std::string& line : regression.more) {
            if (line == regression.line || (shown == 0 && trim(line).empty()))
                continue;
            if (++shown > lines_of_a_regression) {
                text += fmt::format("    [{} more lines in the log]\n",
                                    regression.more.size() - shown + 1);
                break;
            }
            text += "    | " + line + "\n";
        }
        if (!regression.log.empty())
            text += "    log:   " + regression.log.string() + "\n";
        if (!regression.command.empty())
            text += "    again: " + regression.command + "\n";
    }
    return text;
}

std::string steps_text(const RunResult& run, const Comparison& comparison) {
    if (comparison.steps.empty())
        return "";
    std::string text = "\nEACH PATCH BY ITSELF\n" +
                       wrapped("  " + sentence(comparison.steps, run.info.each_patch), "  ");
    for (const StepComparison& step : comparison.steps) {
        text += wrapped(fmt::format("  {} of {} {}: {}", step.patches, comparison.steps.size(),
                                    to_string(step.verdict), step.subject),
                        "      ");
        for (const StepTrial& trial : step.trials)
            if (trial.verdict != StepVerdict::works)
                text +=
                    wrapped(fmt::format("      {}: {}{}{}", trial.what, to_string(trial.verdict),
                                        trial.why.empty() ? "" : ": ", trial.why),
                            "        ");
    }
    return text;
}

std::string infrastructure(const RunResult& run) {
    std::string text;
    if (!run.infrastructure.empty()) {
        text += "\nWHAT COULD NOT BE DONE (no fault of the series)\n";
        for (const auto& [what, error] : run.infrastructure) {
            text += "* " + what + ":\n";
            for (const std::string& line : split(trim(error), '\n'))
                text += "    " + line + "\n";
        }
    }
    if (!run.not_run.empty()) {
        text += fmt::format("\nNOT RUN: {}\n", counted(run.not_run.size(), "boot"));
        for (std::size_t i = 0; i < std::min(run.not_run.size(), boots_listed); ++i)
            text += "    " + run.not_run[i] + "\n";
        if (run.not_run.size() > boots_listed)
            text += fmt::format("    and {} more\n", run.not_run.size() - boots_listed);
    }
    return text;
}

std::string vitals_text(const RunResult& run, const Cell& cell) {
    for (const BootResult& boot : run.boots) {
        if (boot.cell != cell.id || !boot.vitals)
            continue;
        const Vitals& vitals = *boot.vitals;
        return wrapped(
            fmt::format("  guest: Linux {} {}, {} vCPUs online, {} MiB, pages of {} KiB, HZ {}, "
                        "preemption {}, clock {}",
                        vitals.release, vitals.machine, vitals.vcpus_online,
                        vitals.memory_kib / 1024, vitals.page_size_bytes / 1024,
                        vitals.hz ? std::to_string(vitals.hz) : "unknown", vitals.preemption,
                        vitals.clocksource),
            "    ");
    }
    return "";
}

std::string boots_text(const BootComparison& boots) {
    const auto side = [](const BootTally& tally) {
        return fmt::format("{} of {}", tally.completed, tally.booted);
    };
    std::string text =
        fmt::format("  boots {:<16} baseline {}, patched {}: {}", work(boots),
                    side(boots.side.baseline), side(boots.side.patched), to_string(boots.verdict));
    if (!boots.why.empty())
        text += ", " + boots.why;
    text = wrapped(text, "    ");
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        for (const BootFailure& failure : boots.side.of(kernel).failures)
            text += wrapped(fmt::format("    {}: {}", failure.boot, failure.what), "      ");
    return text;
}

// Every program, and of its subtests those that have something to say; all where they are few.
std::string tests_text(const Comparison& comparison, const std::string& cell) {
    constexpr std::size_t few = 40;
    const std::size_t all = count(comparison.tests, cell).all();
    if (all == 0)
        return "";
    std::string text = fmt::format("  {:<58} {:>11} {:>11}\n", "tests (counted by their leaves)",
                                   "baseline", "patched");
    std::size_t hidden = 0;
    std::string said; // of the program that the subtests are of
    for (const TestComparison& test : comparison.tests) {
        if (test.cell != cell)
            continue;
        const bool plain = test.verdict == TestVerdict::passes;
        if (test.depth > 0 && plain && all > few) {
            ++hidden;
            continue;
        }
        const std::string label =
            std::string(static_cast<std::size_t>(2 * test.depth), ' ') +
            (test.depth == 0 ? name(test) : test.subtest.substr(test.subtest.rfind('/') + 1));
        text += fmt::format("    {:<56} {:>11} {:>11}  {}\n", label, short_text(test.side.baseline),
                            short_text(test.side.patched), to_string(test.verdict));
        const std::string why = whole_why(test);
        if (!why.empty() && test.verdict != TestVerdict::passes && (test.depth == 0 || why != said))
            text += wrapped(std::string(6 + 2 * static_cast<std::size_t>(test.depth), ' ') + why,
                            "        ");
        if (test.depth == 0)
            said = why;
    }
    if (hidden > 0)
        text += fmt::format("    ({} that pass on both are left out here)\n", hidden);
    const TestCounts counts = count(comparison.tests, cell);
    text +=
        fmt::format("    {} test{}: {} pass{} on both", counts.all(), counts.all() == 1 ? "" : "s",
                    counts.passes, counts.passes == 1 ? "es" : "");
    for (const std::string& other : other_counts(counts))
        text += ", " + other;
    return text + "\n";
}

std::string findings_text(const Comparison& comparison, const std::string& cell) {
    std::string text;
    for (const FindingComparison& finding : comparison.findings) {
        if (finding.cell != cell)
            continue;
        text +=
            wrapped(fmt::format("  splat {}: {} ({} of {} baseline boots, {} of {} patched){}{}",
                                to_string(finding.verdict), finding.example.title,
                                finding.boots.baseline, finding.of.baseline, finding.boots.patched,
                                finding.of.patched, finding.why.empty() ? "" : ": ", finding.why),
                    "    ");
    }
    return text;
}

std::string latency_text(const RunResult& run, const LatencyComparison& latency,
                         const TextOptions& options) {
    std::string text = "\n" + wrapped("  " + sentence(latency), "  ");
    if (!latency.why.empty())
        text += wrapped("    why: " + latency.why, "      ");
    if (!latency.settle.empty())
        text += wrapped("    what would settle it: " + latency.settle, "      ");
    if (latency.test && !run.info.noise && latency.verdict != LatencyVerdict::refused &&
        latency.verdict != LatencyVerdict::same_image)
        text += wrapped("    margin: " + latency.margin_why, "      ");
    if (latency.verdict != LatencyVerdict::not_measured || latency.ratio)
        text += latency_table(latency);
    for (const std::string& note : latency.notes)
        text += wrapped("    note: " + note, "      ");
    text += sample_table(run, latency);
    if (options.thread_layout)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            text += thread_table(run, latency, kernel);
    return text;
}

std::string cell_text(const RunResult& run, const Comparison& comparison, const Cell& cell,
                      const TextOptions& options) {
    const Axes& axes = cell.axes;
    std::string text = fmt::format("\n{}: {}, config {}, {} vCPUs, {}{}\n", cell.id,
                                   to_string(axes.arch), axes.config, axes.vcpus, axes.compiler,
                                   axes.cmdline.empty() ? "" : ", cmdline " + axes.cmdline);
    text += vitals_text(run, cell);
    for (const BuildComparison& build : comparison.builds) {
        if (build.key != cell.build())
            continue;
        text += wrapped("  build " + (run.info.noise && build.same_image ? "one image on both sides"
                                                                         : sentence(build)),
                        "    ");
        for (const Warning& warning : build.new_warnings)
            text += wrapped("    new warning: " + kmatrix::text(warning), "      ");
    }
    for (const BootComparison& boots : comparison.boots)
        if (boots.cell == cell.id)
            text += boots_text(boots);
    text += findings_text(comparison, cell.id);
    text += tests_text(comparison, cell.id);
    for (const LatencyComparison& latency : comparison.latency)
        if (latency.cell == cell.id)
            text += latency_text(run, latency, options);
    return text;
}

} // namespace

std::string text_report(const RunResult& run, const Comparison& comparison,
                        const TextOptions& options) {
    std::string text = head(run, comparison);
    text += regressions(comparison);
    text += steps_text(run, comparison);
    text += infrastructure(run);
    text += earlier_version_text(run);
    for (const Cell& cell : run.matrix.cells)
        text += cell_text(run, comparison, cell, options);
    return printable(text);
}

} // namespace kmatrix

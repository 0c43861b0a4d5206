// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/latency_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kmatrix {
namespace {

struct PlacedSample {
    int boot = 0; // its number
    const Sample* sample = nullptr;
};

std::vector<PlacedSample> samples_of(const RunResult& run, const LatencyComparison& latency,
                                     Kernel kernel) {
    std::vector<PlacedSample> samples;
    for (const BootResult& boot : run.boots)
        if (boot.cell == latency.cell && boot.kernel == kernel && boot.benchmark &&
            *boot.benchmark == latency.benchmark)
            for (const Sample& sample : boot.samples)
                samples.push_back({boot.number, &sample});
    return samples;
}

std::string row(const std::string& label, double baseline, double patched) {
    if (baseline <= 0 && patched <= 0)
        return "";
    const std::string ratio = baseline > 0 ? fmt::format("{:.3f}", patched / baseline) : "-";
    return fmt::format("    {:<22}{:>12}{:>12}{:>10}\n", label, ms_text(baseline), ms_text(patched),
                       ratio);
}

std::string half(const PlacedSample* placed, bool with_place) {
    if (!placed)
        return std::string(with_place ? 39 : 30, ' ');
    const Sample& sample = *placed->sample;
    const std::string place =
        with_place ? fmt::format("{:>5}{:>4}", placed->boot, sample.index) : std::string();
    return fmt::format("{}{:>10}{:>10}{:>10}", place, ms_text(sample.mean_ms),
                       ms_text(sample.p99_ms), ms_text(sample.max_ms));
}

} // namespace

std::string ms_text(double ms) {
    const double size = std::fabs(ms);
    if (size == 0)
        return "0";
    return size >= 100 ? fmt::format("{:.0f}", ms)
           : size >= 1 ? fmt::format("{:.2f}", ms)
                       : fmt::format("{:.4f}", ms);
}

std::string latency_table(const LatencyComparison& latency) {
    const LatencySide& baseline = latency.side.baseline;
    const LatencySide& patched = latency.side.patched;
    std::string text = fmt::format("    {:<22}{:>12}{:>12}{:>10}\n",
                                   latency.emulated ? "ms a call, EMULATED" : "ms a call",
                                   "baseline", "patched", "ratio");
    text += row("mean (tested)", baseline.mean_ms, patched.mean_ms);
    if (latency.test) {
        const RatioTest& test = *latency.test;
        text += fmt::format("      95 % interval of the ratio {:.4f} to {:.4f}", test.ratio_95.low,
                            test.ratio_95.high);
        if (latency.p_holm)
            text += fmt::format(", Welch p {:.2g} after Holm", *latency.p_holm);
        text += fmt::format("\n      permutation p {:.2g}{}; {} and {} boots\n", test.p_permutation,
                            test.permutation_exact ? " (exact)" : "", test.boots.baseline,
                            test.boots.patched);
    }
    text += row("p50", baseline.p50_ms, patched.p50_ms);
    text += row("p90", baseline.p90_ms, patched.p90_ms);
    text += row("p99", baseline.p99_ms, patched.p99_ms);
    text += row("p99.9", baseline.p999_ms, patched.p999_ms);
    const bool counted = baseline.calls + patched.calls > 0; // a user's own benchmark is not
    text += row(counted ? "maximum (more calls," : "maximum", baseline.max_ms, patched.max_ms);
    if (counted) {
        text += fmt::format("      larger maximum){:>16}{:>12}  calls\n", baseline.calls,
                            patched.calls);
        text += fmt::format("    {:<22}{:>12.0f}{:>12.0f}\n", "calls a second",
                            baseline.calls_per_s, patched.calls_per_s);
        text += fmt::format("    {:<22}{:>12.1f}{:>12.1f}\n", "scans a second",
                            baseline.scans_per_s, patched.scans_per_s);
        text += fmt::format("    {:<22}{:>12.0f}{:>12.0f}\n", "VMAs at the end", baseline.vmas_end,
                            patched.vmas_end);
    }
    if (latency.boots_to_see)
        text += fmt::format("    To see a difference of 5 % here takes {} boots a side.\n",
                            *latency.boots_to_see);
    return text;
}

std::string sample_table(const RunResult& run, const LatencyComparison& latency) {
    const auto baseline = samples_of(run, latency, Kernel::baseline);
    const auto patched = samples_of(run, latency, Kernel::patched);
    if (baseline.empty() && patched.empty())
        return "";
    std::string text =
        fmt::format("    samples in the order run, ms{}\n", latency.emulated ? ", EMULATED" : "");
    text += fmt::format("    {:>5}{:>4}{:>30} |{:>30}\n", "", "", "baseline", "patched");
    text += fmt::format("    {:>5}{:>4}{:>10}{:>10}{:>10} |{:>10}{:>10}{:>10}\n", "boot", "no.",
                        "mean", "p99", "maximum", "mean", "p99", "maximum");
    for (std::size_t i = 0; i < std::max(baseline.size(), patched.size()); ++i) {
        const PlacedSample* left = i < baseline.size() ? &baseline[i] : nullptr;
        const PlacedSample* right = i < patched.size() ? &patched[i] : nullptr;
        text += "    " + half(left, true) + " |" + half(right, false) + "\n";
    }
    return text;
}

std::string thread_table(const RunResult& run, const LatencyComparison& latency, Kernel kernel) {
    std::vector<double> medians, means, maxima;
    for (const PlacedSample& placed : samples_of(run, latency, kernel)) {
        medians.push_back(placed.sample->p50_ms);
        means.push_back(placed.sample->mean_ms);
        maxima.push_back(placed.sample->max_ms);
    }
    for (std::vector<double>* column : {&medians, &means, &maxima})
        std::sort(column->begin(), column->end());
    std::string text =
        fmt::format("    {}: median, mean and maximum of a sample's calls, ms{}; each "
                    "column sorted on its own\n",
                    to_string(kernel), latency.emulated ? ", EMULATED" : "");
    for (std::size_t i = 0; i < means.size(); ++i)
        text += fmt::format("    {:9.3f} {:9.3f} {:9.3f}\n", medians[i], means[i], maxima[i]);
    return text;
}

} // namespace kmatrix

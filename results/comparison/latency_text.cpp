// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/latency_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/statistics/power.h"

namespace kmatrix {

namespace {

std::string margin_text(double margin) {
    const double percent = 100 * margin;
    return std::abs(percent - std::round(percent)) < 0.05 ? fmt::format("{:.0f} %", percent)
                                                          : percent_text(margin);
}

std::string times_text(double times) {
    return times < 9.95 ? fmt::format("{:.1f}", times) : fmt::format("{:.0f}", times);
}

std::string interval_text(int level, const statistics::Interval& interval) {
    return fmt::format("{} % interval {} to {}", level, significant_text(interval.low),
                       significant_text(interval.high));
}

std::string p_text(double p) {
    return p < 0.0001 ? std::string("p below 0.0001") : fmt::format("p {:.2g}", p);
}

std::string emulated_text(const LatencyComparison& latency) {
    return latency.emulated ? ", emulated" : "";
}

// "(ratio 0.077, 95 % interval 0.071 to 0.083, p 0.0002)".
std::string figures_text(const LatencyComparison& latency, int level) {
    if (!latency.ratio)
        return {};
    std::string text = " (ratio " + significant_text(*latency.ratio);
    if (latency.test)
        text += ", " +
                interval_text(level, level == 90 ? latency.test->ratio_90 : latency.test->ratio_95);
    if (latency.p_holm)
        text += ", " + p_text(*latency.p_holm);
    return text + ")";
}

} // namespace

std::string significant_text(double value) {
    if (!std::isfinite(value) || value == 0)
        return fmt::format("{}", value);
    const int before_point = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return fmt::format("{:.{}f}", value, std::max(0, 3 - before_point));
}

std::string percent_text(double part) {
    const double percent = 100 * part;
    return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string_view to_string(MarginSource source) {
    switch (source) {
    case MarginSource::gate:
        return "the matrix's";
    case MarginSource::noise_floor:
        return "this machine's noise";
    case MarginSource::rounding:
        return "the figures' rounding";
    }
    return "unknown";
}

std::string margin_why(const LatencyComparison& latency, const NoiseFloor* floor) {
    const std::string margin = margin_text(latency.margin);
    const std::string noise =
        floor == nullptr
            ? std::string()
            : fmt::format("noise, {} by A/A run {}", percent_text(floor->floor), floor->run);
    switch (latency.margin_source) {
    case MarginSource::gate:
        return fmt::format("{}, the matrix's; this machine's {}", margin,
                           floor == nullptr ? "noise was never measured here (kmatrix noise)"
                                            : noise + ", is smaller");
    case MarginSource::noise_floor:
        return fmt::format("{}, this machine's {}, is larger than the matrix's", margin, noise);
    case MarginSource::rounding:
        return margin + ", by the rounding of the figures, which is larger than the matrix's";
    }
    return {};
}

std::string why_not_measured(const LatencyComparison& latency) {
    const Kernel kernel = latency.side.baseline.boots.empty() ? Kernel::baseline : Kernel::patched;
    const LatencySide& side = latency.side.of(kernel);
    if (side.without_figure.empty())
        return fmt::format("{} has no boot of it", to_string(kernel));
    const std::size_t others = side.without_figure.size() - 1;
    return fmt::format("no boot of {} gives a figure: {}{}", to_string(kernel),
                       side.without_figure.front().why,
                       others == 0 ? "" : fmt::format(" (and {} more)", others));
}

void explain_few_boots(LatencyComparison& latency) {
    const std::size_t baseline = latency.side.baseline.boots.size();
    const std::size_t patched = latency.side.patched.boots.size();
    latency.why = fmt::format("{} boots with figures on baseline and {} on patched are too few for "
                              "a verdict, which takes {} a side",
                              baseline, patched, fewest_boots);
    latency.settle =
        fmt::format("{} boots a side", std::max(latency.boots_to_see.value_or(0),
                                                static_cast<std::size_t>(fewest_boots)));
}

void explain_inconclusive(LatencyComparison& latency) {
    const RatioTest& test = *latency.test;
    latency.why = fmt::format("{} tells no difference, and the {} reaches beyond the margin of {}",
                              p_text(*latency.p_holm), interval_text(90, test.ratio_90),
                              margin_text(latency.margin));
    const auto needed = statistics::count_to_see(std::log1p(latency.margin), test.deviation);
    const std::size_t fewest = std::min(test.boots.baseline, test.boots.patched);
    if (needed && *needed > fewest)
        latency.settle = fmt::format("about {} boots a side, by the noise between these", *needed);
    else if (needed)
        latency.settle = fmt::format("more than {} boots a side: the difference is close to the "
                                     "margin",
                                     fewest);
    else
        latency.settle = fmt::format("a quieter machine: with this noise {} boots are not enough",
                                     statistics::most_boots);
}

std::string speed_text(double ratio) {
    if (std::abs(ratio - 1) < 0.0005)
        return "unchanged";
    if (ratio < 2.0 / 3)
        return times_text(1 / ratio) + " times faster";
    if (ratio < 1)
        return percent_text(1 - ratio) + " faster";
    if (ratio < 1.5)
        return percent_text(ratio - 1) + " slower";
    return times_text(ratio) + " times slower";
}

std::string sentence(const LatencyComparison& latency) {
    const std::string& benchmark = latency.benchmark;
    const std::string subject =
        benchmark + (latency.own_command ? ": its figures" : ": mmap/munmap calls");
    switch (latency.verdict) {
    case LatencyVerdict::faster:
    case LatencyVerdict::slower:
        return fmt::format("{} are {}{}{}", subject, speed_text(*latency.ratio),
                           figures_text(latency, 95), emulated_text(latency));
    case LatencyVerdict::equivalent:
        return fmt::format("{} are the same within {}{}{}", subject, margin_text(latency.margin),
                           figures_text(latency, 90), emulated_text(latency));
    case LatencyVerdict::changed_but_small:
        return fmt::format("{} are {}, which is within the margin of {}{}{}", subject,
                           speed_text(*latency.ratio), margin_text(latency.margin),
                           figures_text(latency, 95), emulated_text(latency));
    case LatencyVerdict::inconclusive:
        return fmt::format("{}: inconclusive{}{}: {}", benchmark, figures_text(latency, 95),
                           emulated_text(latency), latency.why);
    case LatencyVerdict::refused:
        return fmt::format("{}: not compared: {}", benchmark, latency.why);
    case LatencyVerdict::same_image:
        return fmt::format("{}: {}; the measured ratio, {}, is noise{}", benchmark, latency.why,
                           significant_text(*latency.ratio), emulated_text(latency));
    case LatencyVerdict::not_measured:
        return fmt::format("{}: not measured: {}", benchmark, latency.why);
    }
    return {};
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/latency_side.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/statistics/describe.h"

namespace kmatrix {

namespace {

std::uint64_t calls(const Sample& sample) {
    return sample.maps + sample.unmaps;
}

// A command of the user's own gives figures, and nothing else of a Sample.
bool is_own(const Benchmark& benchmark) {
    return !benchmark.command.empty();
}

bool is_hung(const Sample& sample, const Benchmark& benchmark) {
    return !is_own(benchmark) && calls(sample) == 0 && sample.seconds > 0;
}

std::string why_no_number(const Sample& sample, const Benchmark& benchmark, double unit) {
    if (!is_own(benchmark)) {
        if (sample.scans == 0 && sample.scan_bytes == 0)
            return "its scanner never read the file";
        if (benchmark.busytasks > 0 && sample.busy_loops == 0)
            return "its busy task never ran";
    }
    if (is_hung(sample, benchmark))
        return {};
    if (!std::isfinite(sample.mean_ms) || sample.mean_ms < 0)
        return "its mean is no duration";
    if (sample.mean_ms == 0 && unit == 0)
        return "its mean is 0";
    return {};
}

std::string why_no_figure(const BootResult& boot, const Benchmark& benchmark, double unit) {
    if (!std::holds_alternative<Completed>(boot.outcome))
        return sentence(boot.outcome);
    if (!boot.sample_error.empty())
        return boot.sample_error;
    if (boot.samples.empty())
        return "it took no sample";
    const auto asked = static_cast<std::size_t>(benchmark.samples);
    if (!is_own(benchmark) && boot.samples.size() != asked)
        return fmt::format("it took {} of {} samples", boot.samples.size(), asked);
    for (const Sample& sample : boot.samples)
        if (const std::string why = why_no_number(sample, benchmark, unit); !why.empty())
            return fmt::format("sample {}: {}", sample.index, why);
    return {};
}

double value_ms(const Sample& sample, const Benchmark& benchmark, double unit) {
    if (is_hung(sample, benchmark))
        return sample.seconds * 1e3;
    return sample.mean_ms == 0 ? unit / 2 : sample.mean_ms;
}

double median_of(const std::vector<const Sample*>& samples, double Sample::* figure) {
    std::vector<double> values;
    values.reserve(samples.size());
    for (const Sample* sample : samples)
        values.push_back(sample->*figure);
    return statistics::median(values);
}

void describe(LatencySide& side, const std::vector<const Sample*>& samples) {
    side.p50_ms = median_of(samples, &Sample::p50_ms);
    side.p90_ms = median_of(samples, &Sample::p90_ms);
    side.p99_ms = median_of(samples, &Sample::p99_ms);
    side.p999_ms = median_of(samples, &Sample::p999_ms);
    double seconds = 0;
    double scans = 0;
    for (const Sample* sample : samples) {
        side.max_ms = std::max(side.max_ms, sample->max_ms);
        side.calls += calls(*sample);
        seconds += sample->seconds;
        scans += static_cast<double>(sample->scans);
        side.vmas_start += static_cast<double>(sample->vmas_start);
        side.vmas_end += static_cast<double>(sample->vmas_end);
    }
    side.vmas_start /= static_cast<double>(samples.size());
    side.vmas_end /= static_cast<double>(samples.size());
    if (seconds > 0) {
        side.calls_per_s = static_cast<double>(side.calls) / seconds;
        side.scans_per_s = scans / seconds;
    }
}

} // namespace

LatencySide measure(const std::vector<const BootResult*>& boots, const Benchmark& benchmark,
                    double unit) {
    LatencySide side;
    std::vector<const Sample*> samples;
    for (const BootResult* boot : boots) {
        if (std::string why = why_no_figure(*boot, benchmark, unit); !why.empty()) {
            side.without_figure.push_back({boot->id, std::move(why)});
            continue;
        }
        std::vector<double> logs;
        for (const Sample& sample : boot->samples) {
            logs.push_back(std::log(value_ms(sample, benchmark, unit)));
            side.hung += is_hung(sample, benchmark) ? 1 : 0;
            side.censored += !is_hung(sample, benchmark) && sample.mean_ms == 0 ? 1 : 0;
            samples.push_back(&sample);
        }
        side.boots.push_back(
            {boot->id, boot->number, std::exp(statistics::mean(logs)), logs.size(), false});
    }
    if (side.boots.empty())
        return side;
    std::stable_sort(side.boots.begin(), side.boots.end(),
                     [](const BootFigure& a, const BootFigure& b) { return a.number < b.number; });
    const std::vector<double> of_boots = logs(side);
    side.mean_ms = std::exp(statistics::mean(of_boots));
    if (of_boots.size() > 1)
        side.deviation = std::sqrt(statistics::variance(of_boots));
    for (const std::size_t apart : statistics::outliers(of_boots))
        side.boots[apart].outlier = true;
    describe(side, samples);
    return side;
}

std::vector<double> logs(const LatencySide& side) {
    std::vector<double> logs;
    logs.reserve(side.boots.size());
    for (const BootFigure& boot : side.boots)
        logs.push_back(std::log(boot.mean_ms));
    return logs;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/latency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/comparison/latency_side.h"
#include "results/comparison/latency_text.h"
#include "results/comparison/noise.h"
#include "results/samples.h"
#include "results/statistics/describe.h"
#include "results/statistics/holm.h"
#include "results/statistics/power.h"

namespace kmatrix {

namespace {

constexpr double worth_seeing = 0.05; // what boots_to_see counts boots for

using SideBoots = Sides<std::vector<const BootResult*>>;

SideBoots boots_of(const RunResult& run, const Cell& cell, const Benchmark& benchmark) {
    SideBoots boots;
    for (const BootResult& boot : run.boots)
        if (boot.cell == cell.id && boot.benchmark == benchmark.name)
            boots.of(boot.kernel).push_back(&boot);
    return boots;
}

double unit_of(const SideBoots& boots) {
    std::vector<double> means;
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        for (const BootResult* boot : boots.of(kernel))
            for (const Sample& sample : boot->samples)
                means.push_back(sample.mean_ms);
    return statistics::unit_of(means);
}

const NoiseFloor* known_floor(const RunResult& run, const Cell& cell, const Benchmark& benchmark,
                              const SideBoots& boots) {
    if (boots.baseline.empty())
        return nullptr;
    return find(run.known.noise, noise_key(cell, benchmark, boots.baseline.front()->machine));
}

void set_margin(LatencyComparison& latency, double gate, const NoiseFloor* floor, double unit) {
    latency.margin = gate;
    latency.margin_source = MarginSource::gate;
    if (floor != nullptr && floor->floor > latency.margin) {
        latency.margin = floor->floor;
        latency.margin_source = MarginSource::noise_floor;
    }
    if (!latency.ratio)
        return;
    // Each mean may be off by half a unit.
    const double rounding = std::expm1(unit / 2 / latency.side.baseline.mean_ms +
                                       unit / 2 / latency.side.patched.mean_ms);
    if (rounding > latency.margin) {
        latency.margin = rounding;
        latency.margin_source = MarginSource::rounding;
    }
}

// The variance of a logarithm whose value was rounded to a unit: uniform over unit/mean, which has
// variance (unit/mean)^2/12 (W. F. Sheppard, Proceedings of the London Mathematical Society 29
// (1898) 353-380).
double rounding_variance(double unit, double mean_ms) {
    return mean_ms > 0 ? unit / mean_ms * (unit / mean_ms) / 12 : 0;
}

bool differ(double a, double b) {
    const double low = std::min(a, b);
    const double high = std::max(a, b);
    return high > 0 && (low <= 0 || high / low > 1 + vmas_margin);
}

std::string why_refused(const LatencyComparison& latency, const SideBoots& boots) {
    const LatencySide& baseline = latency.side.baseline;
    const LatencySide& patched = latency.side.patched;
    if (differ(baseline.vmas_start, patched.vmas_start) ||
        differ(baseline.vmas_end, patched.vmas_end))
        return fmt::format("the address spaces differ by more than {:.0f} %: {:.0f} VMAs at the "
                           "start and {:.0f} at the end on baseline, {:.0f} and {:.0f} on patched",
                           100 * vmas_margin, baseline.vmas_start, baseline.vmas_end,
                           patched.vmas_start, patched.vmas_end);
    std::optional<Accel> accel;
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        for (const BootResult* boot : boots.of(kernel)) {
            if (accel && *accel != boot->machine.accel)
                return "some boots ran under emulation and some did not";
            accel = boot->machine.accel;
        }
    return {};
}

void add_notes(LatencyComparison& latency) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        const LatencySide& side = latency.side.of(kernel);
        for (const BootFigure& boot : side.boots)
            if (boot.outlier)
                latency.notes.push_back(fmt::format(
                    "{} stands apart from {}'s other boots with {} ms; it counts all the same",
                    boot.boot, to_string(kernel), significant_text(boot.mean_ms)));
        if (side.censored != 0)
            latency.notes.push_back(fmt::format("{} of {}'s samples are 0, and were taken for half "
                                                "of the unit that figures are rounded to",
                                                side.censored, to_string(kernel)));
        if (side.hung != 0)
            latency.notes.push_back(fmt::format("in {} of {}'s samples not one call finished; each "
                                                "was taken for the sample's whole length",
                                                side.hung, to_string(kernel)));
        for (const BootWithoutFigure& boot : side.without_figure)
            latency.notes.push_back(fmt::format("{} gives no figure: {}", boot.boot, boot.why));
    }
    if (latency.overcommitted)
        latency.notes.emplace_back("more vCPUs were busy than the host has CPUs: the figures are "
                                   "the host scheduler's as much as the kernel's");
}

bool has_few_boots(const LatencyComparison& latency) {
    const std::size_t fewest =
        std::min(latency.side.baseline.boots.size(), latency.side.patched.boots.size());
    return fewest < static_cast<std::size_t>(fewest_boots);
}

// All but the verdict that needs the other endpoints' p.
LatencyComparison compare_one(const RunResult& run, const Cell& cell, const Benchmark& benchmark,
                              bool same_image, const LatencyOptions& options) {
    LatencyComparison latency;
    latency.cell = cell.id;
    latency.benchmark = benchmark.name;
    latency.own_command = !benchmark.command.empty();
    latency.axes = cell.axes;
    const SideBoots boots = boots_of(run, cell, benchmark);
    const double unit = unit_of(boots);
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        latency.side.of(kernel) = measure(boots.of(kernel), benchmark, unit);
        for (const BootResult* boot : boots.of(kernel)) {
            latency.emulated |= boot->machine.accel == Accel::tcg;
            latency.overcommitted |= boot->machine.overcommitted;
        }
    }
    const LatencySide& baseline = latency.side.baseline;
    const LatencySide& patched = latency.side.patched;
    if (!baseline.boots.empty() && !patched.boots.empty())
        latency.ratio = patched.mean_ms / baseline.mean_ms;
    const NoiseFloor* floor = known_floor(run, cell, benchmark, boots);
    set_margin(latency, run.matrix.gate.margin, floor, unit);
    latency.margin_why = margin_why(latency, floor);
    latency.test = test_ratio(
        logs(baseline), logs(patched),
        {rounding_variance(unit, baseline.mean_ms), rounding_variance(unit, patched.mean_ms)},
        options.seed);
    if (latency.test)
        if (const auto count =
                statistics::count_to_see(std::log1p(worth_seeing), latency.test->deviation))
            latency.boots_to_see = std::max(*count, static_cast<std::size_t>(fewest_boots));
    add_notes(latency);

    if (!latency.ratio) {
        latency.verdict = LatencyVerdict::not_measured;
        latency.why = why_not_measured(latency);
    } else if (same_image && !run.info.noise && !options.same_image_too) {
        latency.verdict = LatencyVerdict::same_image;
        latency.why = "the same kernel image twice: no difference is possible";
    } else if (std::string why = why_refused(latency, boots); !why.empty()) {
        latency.verdict = LatencyVerdict::refused;
        latency.why = std::move(why);
        if (!benchmark.fragment)
            latency.settle =
                "fragment = true in the matrix: both kernels then read the same address "
                "space from the start";
    } else {
        latency.verdict = LatencyVerdict::inconclusive;
        if (has_few_boots(latency))
            explain_few_boots(latency);
    }
    return latency;
}

} // namespace

std::vector<LatencyComparison> compare_latency(const RunResult& run,
                                               const std::vector<BuildComparison>& builds,
                                               const LatencyOptions& options) {
    std::vector<LatencyComparison> all;
    for (const Cell& cell : run.matrix.cells) {
        const bool same_image =
            std::any_of(builds.begin(), builds.end(), [&](const BuildComparison& build) {
                return build.key == cell.build() && build.same_image;
            });
        for (const Benchmark& benchmark : cell.benchmarks)
            all.push_back(compare_one(run, cell, benchmark, same_image, options));
    }
    std::vector<LatencyComparison*> endpoints;
    std::vector<double> p;
    for (LatencyComparison& latency : all)
        if (latency.verdict == LatencyVerdict::inconclusive && !has_few_boots(latency)) {
            endpoints.push_back(&latency);
            p.push_back(latency.test->p);
        }
    const std::vector<double> adjusted = statistics::holm(p);
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
        LatencyComparison& latency = *endpoints[i];
        latency.p_holm = adjusted[i];
        latency.verdict = decide(*latency.test, adjusted[i], latency.margin);
        if (latency.verdict == LatencyVerdict::inconclusive)
            explain_inconclusive(latency);
    }
    return all;
}

} // namespace kmatrix

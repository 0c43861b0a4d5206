// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_distribution.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/axis.h"
#include "results/reports/benchmark_boots.h"
#include "results/reports/call_times.h"
#include "results/reports/latency_text.h"
#include "results/reports/picture_script.h"

namespace kmatrix {
namespace {

constexpr int height = 420;
constexpr double whole_step = 0.01; // of height: less than a pixel
constexpr double boot_step = 0.04;
constexpr int most_nines = 9;

void add(Histogram& all, const Histogram& more) {
    for (const auto& [bound, count] : more)
        all[bound] += count;
}

std::vector<std::string> lines(const Histogram& histogram, double step) {
    std::vector<std::string> all;
    for (const DistributionPoint& point : distribution(histogram, step))
        all.push_back(fmt::format("{:.6g} {:.4f}", point.ms, point.height));
    return all;
}

// gnuplot wants its % doubled.
std::string percent_tics(int nines) {
    std::vector<std::string> all;
    for (const unsigned percent : {0U, 25U, 50U, 75U})
        all.push_back(fmt::format("\"{} %%\" {:.4f}", percent, share_height(100 - percent, 100)));
    for (int n = 1; n <= nines; ++n)
        all.push_back(fmt::format("\"{:.{}f} %%\" {}", 100 - std::pow(10, 2 - n),
                                  std::max(0, n - 2), height_of_90_percent + n - 1));
    return "(" + join(all, ", ") + ")";
}

} // namespace

std::optional<Picture> distribution_picture(const RunResult& run,
                                            const LatencyComparison& latency) {
    Sides<Histogram> whole;
    Sides<std::vector<std::string>> by_boot;
    for (const auto& [boot, figure] : boots_of(run, latency)) {
        if (figure == nullptr)
            continue;
        Histogram histogram;
        for (const Sample& sample : boot->samples)
            add(histogram, sample.histogram_ns);
        add(whole.of(boot->kernel), histogram);
        std::vector<std::string>& curves = by_boot.of(boot->kernel);
        for (std::string& line : lines(histogram, boot_step))
            curves.push_back(std::move(line));
        curves.emplace_back(); // an empty line ends a curve
    }
    const std::uint64_t calls = std::max(count_calls(whole.baseline), count_calls(whole.patched));
    if (calls == 0)
        return std::nullopt;

    std::vector<double> ends;
    for (const Histogram* histogram : {&whole.baseline, &whole.patched})
        if (!histogram->empty())
            for (const auto bound : {histogram->begin()->first, histogram->rbegin()->first})
                ends.push_back(static_cast<double>(bound) / 1e6);
    const Axis axis = log_axis(ends);
    const double top = std::max(height_of_90_percent, share_height(1, calls));
    const int nines =
        std::min(most_nines, static_cast<int>(std::floor(top - height_of_90_percent)) + 1);

    std::string script = script_head(picture_width, height);
    script += fmt::format("set logscale x\n"
                          "set xrange [{:.6g}:{:.6g}]\n"
                          "set yrange [0:{:.4g}]\n"
                          "set xtics {}\n"
                          "set ytics {}\n"
                          "set xlabel {}\n"
                          "set ylabel \"calls that took at most this long\"\n"
                          "set key above horizontal center samplen 2\n",
                          axis.low, axis.high, top + 0.2, time_tics(axis), percent_tics(nines),
                          label("time of a call", latency.emulated));
    std::string plots;
    int style = 0;
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        ++style;
        const std::string name(to_string(kernel));
        if (whole.of(kernel).empty())
            continue;
        script += data_block("$" + name, lines(whole.of(kernel), whole_step));
        script += data_block("$" + name + "_boots", by_boot.of(kernel));
        plots += fmt::format("{0}${1}_boots with steps linestyle {2} linewidth 0.5 notitle, "
                             "${1} with steps linestyle {2} title \"{1}\"",
                             plots.empty() ? "" : ", ", name, style);
    }
    script += "plot " + plots + "\n";

    const auto side = [&](Kernel kernel) {
        const LatencySide& of = latency.side.of(kernel);
        return fmt::format("{}: half of {} calls take at most {} ms, 99 % at most {} ms, the "
                           "slowest {} ms",
                           to_string(kernel), count_calls(whole.of(kernel)), ms_text(of.p50_ms),
                           ms_text(of.p99_ms), ms_text(of.max_ms));
    };
    return Picture{PictureKind::distribution,
                   latency.cell,
                   latency.benchmark,
                   picture_width,
                   height,
                   std::move(script),
                   fmt::format("Distribution of call times{}. {}; {}.",
                               latency.emulated ? ", emulated" : "", side(Kernel::baseline),
                               side(Kernel::patched))};
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_ratio.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/comparison/latency_text.h"
#include "results/reports/axis.h"
#include "results/reports/picture_script.h"

namespace kmatrix {
namespace {

constexpr int ratio_height = 120;
// An interval that reaches further is drawn up to the edge.
constexpr double furthest = 1000;

double drawn(double ratio) {
    return std::clamp(ratio, 1 / furthest, furthest);
}

} // namespace

std::optional<Picture> ratio_picture(const LatencyComparison& latency) {
    if (!latency.ratio || !(*latency.ratio > 0))
        return std::nullopt;
    const double ratio = drawn(*latency.ratio);
    const double margin_low = drawn(1 / (1 + latency.margin));
    const double margin_high = drawn(1 + latency.margin);
    std::vector<double> all = {ratio, margin_low, margin_high};
    if (latency.test)
        for (const double end : {latency.test->ratio_95.low, latency.test->ratio_95.high})
            all.push_back(drawn(end));
    const Axis axis = log_axis(all);

    std::string script = script_head(picture_width, ratio_height);
    script += fmt::format("set border 1\n"
                          "set logscale x\n"
                          "set xrange [{:.6g}:{:.6g}]\n"
                          "set yrange [0:2]\n"
                          "set xtics {}\n"
                          "unset ytics\n"
                          "unset key\n"
                          "set xlabel {}\n",
                          axis.low, axis.high, number_tics(axis),
                          label("patched / baseline (left of 1: faster)", latency.emulated));
    script += fmt::format("set object 1 rectangle from {:.6g}, graph 0 to {:.6g}, graph 1 behind "
                          "fillcolor rgb \"{}\" fillstyle solid noborder\n",
                          margin_low, margin_high, picture_colour::band);
    script += fmt::format("set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1 "
                          "linecolor rgb \"{}\"\n",
                          picture_colour::ink);
    std::string plots = "$ratio with points linestyle 2 pointtype 7 pointsize 0.8";
    script += data_block("$ratio", {fmt::format("{:.6g} 1", ratio)});
    if (latency.test) {
        const RatioTest& test = *latency.test;
        script += data_block("$interval",
                             {fmt::format("{:.6g} 1 {:.6g} {:.6g}", ratio, drawn(test.ratio_95.low),
                                          drawn(test.ratio_95.high))});
        plots = "$interval with xerrorbars linestyle 2 pointtype 7 pointsize 0.8";
    }
    script += "plot " + plots + "\n";

    std::string words = "Ratio patched/baseline: " + significant_text(*latency.ratio);
    if (latency.test)
        words +=
            fmt::format(", 95 % interval {} to {}", significant_text(latency.test->ratio_95.low),
                        significant_text(latency.test->ratio_95.high));
    words += fmt::format("; the margin is {} to {}{}.", significant_text(margin_low),
                         significant_text(margin_high), latency.emulated ? "; emulated" : "");
    return Picture{PictureKind::ratio, latency.cell,      latency.benchmark, picture_width,
                   ratio_height,       std::move(script), std::move(words)};
}

} // namespace kmatrix

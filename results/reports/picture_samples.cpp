// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_samples.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/reports/axis.h"
#include "results/reports/benchmark_boots.h"
#include "results/reports/latency_text.h"
#include "results/reports/picture_script.h"

namespace kmatrix {
namespace {

constexpr int samples_height = 270;
constexpr std::size_t most_labels = 16;
constexpr double widest_gap = 0.2; // between the samples of a boot; boots are 1 apart
constexpr double boot_width = 0.6;

struct Points {
    std::vector<std::string> samples; // place and mean
    std::vector<std::string> boots;   // place of the left end and the boot's figure
};

} // namespace

std::optional<Picture> samples_picture(const RunResult& run, const LatencyComparison& latency) {
    const std::vector<BenchmarkBoot> boots = boots_of(run, latency);
    Sides<Points> points;
    std::vector<std::string> left_out; // samples of boots that give no figure
    std::vector<double> means;
    std::vector<std::string> tics;
    int place = 0;
    for (const auto& [boot, figure] : boots) {
        ++place;
        tics.push_back(fmt::format("\"{}{}\" {}", boot->kernel == Kernel::baseline ? "b" : "p",
                                   boot->number, place));
        const std::size_t count = boot->samples.size();
        const double gap =
            std::min(widest_gap, boot_width / static_cast<double>(std::max<std::size_t>(count, 1)));
        double at = place - gap * (static_cast<double>(count) - 1) / 2;
        Points& side = points.of(boot->kernel);
        for (const Sample& sample : boot->samples) {
            if (sample.mean_ms > 0) {
                (figure == nullptr ? left_out : side.samples)
                    .push_back(fmt::format("{:.3f} {:.6g}", at, sample.mean_ms));
                means.push_back(sample.mean_ms);
            }
            at += gap;
        }
        if (figure != nullptr && figure->mean_ms > 0) {
            side.boots.push_back(
                fmt::format("{:.3f} {:.6g}", place - boot_width / 2, figure->mean_ms));
            means.push_back(figure->mean_ms);
        }
    }
    if (means.empty())
        return std::nullopt;

    const Axis axis = log_axis(means);
    std::string script = script_head(picture_width, samples_height);
    script += fmt::format("set logscale y\n"
                          "set yrange [{:.6g}:{:.6g}]\n"
                          "set ytics {}\n"
                          "set xrange [0.3:{}.7]\n"
                          "set xtics {}\n"
                          "set xlabel \"boots in the order run\"\n"
                          "set ylabel {}\n"
                          "unset key\n",
                          axis.low, axis.high, time_tics(axis), place,
                          tics.size() > most_labels ? std::string("autofreq")
                                                    : fmt::format("({})", fmt::join(tics, ", ")),
                          label("sample mean", latency.emulated));
    std::string plots;
    int style = 0;
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        ++style;
        const std::string name(to_string(kernel));
        const Points& side = points.of(kernel);
        if (!side.boots.empty()) {
            script += data_block("$" + name + "_boots", side.boots);
            plots += fmt::format("{}${}_boots using 1:2:({}):(0) with vectors nohead linestyle {}",
                                 plots.empty() ? "" : ", ", name, boot_width, style);
        }
        if (!side.samples.empty()) {
            script += data_block("$" + name, side.samples);
            plots += fmt::format("{}${} with points linestyle {}", plots.empty() ? "" : ", ", name,
                                 style);
        }
    }
    if (!left_out.empty()) {
        script += data_block("$left_out", left_out);
        plots += fmt::format("{}$left_out with points pointtype 2 pointsize 0.6 linecolor rgb "
                             "\"{}\"",
                             plots.empty() ? "" : ", ", picture_colour::ink);
    }
    script += "plot " + plots + "\n";

    return Picture{PictureKind::samples,
                   latency.cell,
                   latency.benchmark,
                   picture_width,
                   samples_height,
                   std::move(script),
                   fmt::format("Every sample's mean, by boot in the order run{}. Over all boots: "
                               "baseline {} ms, patched {} ms.",
                               latency.emulated ? ", emulated" : "",
                               ms_text(latency.side.baseline.mean_ms),
                               ms_text(latency.side.patched.mean_ms))};
}

} // namespace kmatrix

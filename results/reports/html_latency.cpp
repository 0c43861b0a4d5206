// SPDX-License-Identifier: GPL-2.0-only
// One benchmark of one cell: what is said of it, its pictures, its figures, every sample.
#include <algorithm>

#include "base/text.h"
#include "results/comparison/latency_text.h"
#include "results/reports/benchmark_boots.h"
#include "results/reports/html_sections.h"
#include "results/reports/latency_text.h"

namespace kmatrix {
namespace {

std::string caption(PictureKind kind, const LatencyComparison& latency) {
    const std::string emulated = latency.emulated ? " Measured under emulation." : "";
    switch (kind) {
    case PictureKind::distribution:
        return "How long single calls took: thick of all boots together, thin of each boot. The "
               "scale is even up to 90 %; above, each nine is one step more. The upper end of a "
               "curve is its slowest call." +
               emulated;
    case PictureKind::samples:
        return "Every sample\u2019s mean, in the order run: b baseline, p patched, each with the "
               "number of its boot. A bar is its boot\u2019s geometric mean; a cross is of a boot "
               "that gives no figure." +
               emulated;
    case PictureKind::ratio:
        return fmt::format("The ratio of the means with its 95 % interval. The line is 1, no "
                           "change; the band is the margin of {:.3g} %, {}.{}",
                           100 * latency.margin, to_string(latency.margin_source), emulated);
    }
    return {};
}

Html figure(PictureKind kind, const LatencyComparison& latency,
            const std::vector<Drawing>& drawings) {
    const auto drawing = std::find_if(drawings.begin(), drawings.end(), [&](const Drawing& other) {
        const Picture& picture = other.picture;
        return picture.kind == kind && picture.cell == latency.cell &&
               picture.benchmark == latency.benchmark;
    });
    if (drawing == drawings.end()) {
        if (kind != PictureKind::distribution)
            return {};
        return Html("<p class=\"undrawn\">There is no picture of single calls: the samples do not "
                    "tell them apart.</p>\n");
    }
    const Picture& picture = drawing->picture;
    if (drawing->svg.empty())
        return html("<p class=\"undrawn\">[{} The picture is missing: {}; the figures are in the "
                    "tables below.]</p>\n",
                    picture.words, drawing->failure);
    return html("<figure>\n<img alt=\"{}\" width=\"{}\" height=\"{}\" "
                "src=\"data:image/svg+xml;base64,{}\">\n<figcaption>{}</figcaption>\n</figure>\n",
                picture.words, picture.width, picture.height, base64(drawing->svg),
                caption(kind, latency));
}

Html pictures_html(const LatencyComparison& latency, const std::vector<Drawing>& drawings) {
    return html("<div class=\"pictures\">\n<div>\n{}</div>\n<div>\n{}{}</div>\n</div>\n",
                figure(PictureKind::distribution, latency, drawings),
                figure(PictureKind::samples, latency, drawings),
                figure(PictureKind::ratio, latency, drawings));
}

Html row(std::string_view label, const std::string& baseline, const std::string& patched,
         const std::string& ratio = "") {
    return html("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", label,
                baseline, patched, ratio);
}

Html time_row(std::string_view label, double baseline, double patched) {
    if (baseline <= 0 && patched <= 0)
        return {};
    return row(label, ms_text(baseline), ms_text(patched),
               baseline > 0 ? significant_text(patched / baseline) : "");
}

Html figures_table(const LatencyComparison& latency) {
    const LatencySide& baseline = latency.side.baseline;
    const LatencySide& patched = latency.side.patched;
    Html rows = row("boots with a figure", fmt::format("{}", baseline.boots.size()),
                    fmt::format("{}", patched.boots.size()));
    rows += row("mean, which is tested", ms_text(baseline.mean_ms), ms_text(patched.mean_ms),
                latency.ratio ? significant_text(*latency.ratio) : "");
    if (latency.test)
        rows += row("95 % interval of the ratio", "", "",
                    fmt::format("{} to {}", significant_text(latency.test->ratio_95.low),
                                significant_text(latency.test->ratio_95.high)));
    rows += time_row("p50", baseline.p50_ms, patched.p50_ms);
    rows += time_row("p90", baseline.p90_ms, patched.p90_ms);
    rows += time_row("p99", baseline.p99_ms, patched.p99_ms);
    rows += time_row("p99.9", baseline.p999_ms, patched.p999_ms);
    rows += time_row("maximum; more calls have a larger one", baseline.max_ms, patched.max_ms);
    if (baseline.calls + patched.calls != 0) {
        rows +=
            row("calls timed", fmt::format("{}", baseline.calls), fmt::format("{}", patched.calls));
        rows += row("calls a second", fmt::format("{:.0f}", baseline.calls_per_s),
                    fmt::format("{:.0f}", patched.calls_per_s));
        rows += row("scans a second", fmt::format("{:.1f}", baseline.scans_per_s),
                    fmt::format("{:.1f}", patched.scans_per_s));
        rows += row("VMAs at the end", fmt::format("{:.0f}", baseline.vmas_end),
                    fmt::format("{:.0f}", patched.vmas_end));
    }
    return html("<table class=\"figures\">\n<thead>\n<tr><th scope=\"col\">{}</th>"
                "<th scope=\"col\">baseline</th><th scope=\"col\">patched</th>"
                "<th scope=\"col\">ratio</th></tr>\n</thead>\n<tbody>\n{}</tbody>\n</table>\n",
                latency.emulated ? "ms a call, EMULATED" : "ms a call", rows);
}

std::string method(const LatencyComparison& latency) {
    std::string text = "The boot is the unit.";
    if (latency.p_holm)
        text += fmt::format(" Welch\u2019s t on the logarithms of the boots\u2019 means: p {:.2g} "
                            "after Holm.",
                            *latency.p_holm);
    if (latency.test)
        text += fmt::format(" {} permutation test over boots: p {:.2g}.",
                            latency.test->permutation_exact ? "Exact" : "Seeded",
                            latency.test->p_permutation);
    if (latency.boots_to_see)
        text += fmt::format(" To see a difference of 5 % here takes {} boots a side.",
                            *latency.boots_to_see);
    return text + " Percentiles and maxima are described, not tested.";
}

Html sample_rows(const RunResult& run, const LatencyComparison& latency) {
    Html rows;
    for (const auto& [boot, figure] : boots_of(run, latency))
        for (const Sample& sample : boot->samples)
            rows += html("<tr><td class=\"{0}\">{0} {1}</td><td>{2}</td><td>{3}</td><td>{4}</td>"
                         "<td>{5}</td><td>{6}</td><td>{7}</td></tr>\n",
                         to_string(boot->kernel), boot->number, sample.index,
                         ms_text(sample.mean_ms), ms_text(sample.p50_ms), ms_text(sample.p99_ms),
                         ms_text(sample.max_ms), sample.maps + sample.unmaps);
    return rows;
}

Html samples_table(const RunResult& run, const LatencyComparison& latency) {
    const Html rows = sample_rows(run, latency);
    if (rows.empty())
        return {};
    return html("<details>\n<summary>Every sample, in the order run</summary>\n"
                "<table class=\"figures\">\n<thead>\n<tr><th scope=\"col\">boot</th>"
                "<th scope=\"col\">sample</th><th scope=\"col\">mean, ms{}</th>"
                "<th scope=\"col\">p50</th><th scope=\"col\">p99</th><th scope=\"col\">maximum</th>"
                "<th scope=\"col\">calls</th></tr>\n</thead>\n<tbody>\n{}</tbody>\n</table>\n"
                "</details>\n",
                latency.emulated ? ", EMULATED" : "", rows);
}

Html remarks(const LatencyComparison& latency) {
    std::vector<std::string> all;
    // A sentence() of these says why already.
    const bool said = latency.verdict == LatencyVerdict::inconclusive ||
                      latency.verdict == LatencyVerdict::refused ||
                      latency.verdict == LatencyVerdict::same_image ||
                      latency.verdict == LatencyVerdict::not_measured;
    if (!latency.why.empty() && !said)
        all.push_back(latency.why);
    if (!latency.settle.empty())
        all.push_back("What would settle it: " + latency.settle + ".");
    for (const std::string& note : latency.notes)
        all.push_back(note + ".");
    if (all.empty())
        return {};
    return html("<ul class=\"remarks\">\n{}</ul>\n", each("li", all));
}

Html benchmark_html(const RunResult& run, const Comparison& comparison,
                    const LatencyComparison& latency, const std::vector<Drawing>& drawings) {
    const bool has_figures =
        !latency.side.baseline.boots.empty() || !latency.side.patched.boots.empty();
    Html section = html("<section id=\"{}\">\n<h2>{} <span>{}</span></h2>\n"
                        "<p class=\"sentence\">{}.</p>\n{}",
                        latency_anchor(comparison, latency), latency.benchmark, latency.cell,
                        sentence(latency), remarks(latency));
    if (has_figures) {
        section += pictures_html(latency, drawings);
        section += figures_table(latency);
        section += html("<p>{}</p>\n", method(latency));
    }
    section += samples_table(run, latency);
    section += Html("</section>\n");
    return section;
}

} // namespace

Html latency_section(const RunResult& run, const Comparison& comparison,
                     const std::vector<Drawing>& drawings) {
    Html all;
    for (const LatencyComparison& latency : comparison.latency)
        all += benchmark_html(run, comparison, latency, drawings);
    return all;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What was compared, on what, and what a reader must know of it.
#include "results/reports/html_sections.h"
#include "results/versions.h"

namespace kmatrix {
namespace {

Html entry(std::string_view term, const std::string& text) {
    if (text.empty())
        return {};
    return html("<dt>{}</dt><dd>{}</dd>\n", term, text);
}

Html machine(const RunResult& run, const Comparison& comparison) {
    const RunInfo& info = run.info;
    const Machine& host = info.machine;
    return html(
        "<section id=\"machine\">\n<h2>Machine</h2>\n<dl>\n{}{}{}{}</dl>\n</section>\n",
        entry("host", fmt::format("{} \u00d7 {}", host.host_cpus, host.host_cpu)),
        entry("guests",
              fmt::format("QEMU {} by libvirt {}, {}", host.qemu_version, host.libvirt_version,
                          comparison.emulated
                              ? "under TCG: every time here is emulated, and compares "
                                "the two kernels with each other and with nothing else"
                              : "under KVM")),
        entry("run", fmt::format("{}, started {}, kmatrix {}", info.id, info.started,
                                 info.kmatrix_version)),
        entry("matrix", info.matrix_file + (info.only.empty() ? "" : ", only " + info.only)));
}

Html series(const RunResult& run) {
    const RunInfo& info = run.info;
    const SeriesInfo& series = info.series;
    const std::string baseline = info.baseline_commit.empty()
                                     ? info.baseline_describe
                                     : fmt::format("Linux {} ({})", info.baseline_describe,
                                                   info.baseline_commit.substr(0, 12));
    return html("<section id=\"series\">\n<h2>Series</h2>\n<dl>\n{}{}{}{}{}{}{}</dl>\n{}"
                "</section>\n",
                entry("subject", fmt::format("{} (v{})", series.subject, series.version)),
                entry("by", series.author), entry("Message-ID", series.message_id),
                entry("given as", series.source), entry("baseline", baseline),
                entry("tree", info.tree), entry("patched tree", info.patched_tree),
                series.patches.empty() ? Html()
                                       : html("<ol>\n{}</ol>\n", each("li", series.patches)));
}

// Where an earlier version of the series was tested here.
Html earlier_version(const RunResult& run) {
    if (!run.known.earlier_version)
        return {};
    const EarlierVersion& earlier = *run.known.earlier_version;
    const Html diff =
        earlier.range_diff.empty()
            ? html("<p>There is no git range-diff: {}.</p>\n", earlier.no_range_diff)
            : html("<details>\n<summary>git range-diff v{} v{}</summary>\n<pre>{}</pre>\n"
                   "</details>\n",
                   earlier.version, run.info.series.version, earlier.range_diff);
    return html("<section id=\"earlier\">\n<h2>Since v{}</h2>\n<p>{}</p>\n<p>That is its earlier "
                "version, for {}. What changed since:</p>\n{}{}{}</section>\n",
                earlier.version, sentence(earlier), earlier.why, again(earlier.command),
                earlier.notes.empty() ? Html() : html("<ul>\n{}</ul>\n", each("li", earlier.notes)),
                diff);
}

Html notes(const RunResult& run, const Comparison& comparison) {
    Html items;
    for (const auto* notes : {&run.info.series.notes, &run.info.notes, &comparison.notes})
        items += each("li", *notes);
    if (items.empty())
        return {};
    return html("<section id=\"notes\">\n<h2>Notes</h2>\n<ul>\n{}</ul>\n</section>\n", items);
}

} // namespace

Html about_section(const RunResult& run, const Comparison& comparison) {
    Html section = machine(run, comparison);
    section += series(run);
    section += earlier_version(run);
    section += notes(run, comparison);
    return section;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/runs_html.h"

#include <algorithm>

#include "base/text.h"
#include "results/comparison/runs_verdict.h"
#include "results/reports/html_sections.h"
#include "results/reports/runs_words.h"

namespace kmatrix {

namespace {

constexpr std::size_t most_splat_lines = 80;

Mood mood_of(BuildVerdict verdict) {
    switch (verdict) {
    case BuildVerdict::builds:
    case BuildVerdict::fixed:
        return Mood::good;
    case BuildVerdict::regressed:
        return Mood::bad;
    case BuildVerdict::broken_on_both:
        return Mood::unsure;
    case BuildVerdict::not_compared:
        return Mood::none;
    }
    return Mood::none;
}

Mood mood_of(BootVerdict verdict) {
    switch (verdict) {
    case BootVerdict::boots:
    case BootVerdict::fixed:
        return Mood::good;
    case BootVerdict::regressed:
        return Mood::bad;
    case BootVerdict::fails_on_both:
    case BootVerdict::flaky:
        return Mood::unsure;
    case BootVerdict::no_verdict:
    case BootVerdict::not_compared:
        return Mood::none;
    }
    return Mood::none;
}

Mood mood_of(const FindingChange& finding) {
    return finding.verdict == FindingVerdict::gone                                 ? Mood::good
           : finding.verdict == FindingVerdict::blamed && !finding.on_own_baseline ? Mood::bad
                                                                                   : Mood::unsure;
}

Html change_row(std::string_view what, Mood mood, const Html& words) {
    return html("<tr><th scope=\"row\">{}</th><td class=\"{}\">{}</td></tr>\n", what,
                to_string(mood), words);
}

Html build_change_row(const BuildChange& build) {
    Html words = html("{}", build_words(build));
    for (const auto& [warnings, what] : {std::pair{&build.new_warnings, "new warning"},
                                         std::pair{&build.gone_warnings, "warning gone"}})
        for (const Warning& warning : *warnings)
            words += html("<br>\n{}: <code>{}</code>", what, text(warning));
    const Mood mood = build.new_warnings.empty() || mood_of(build.verdict) == Mood::bad
                          ? mood_of(build.verdict)
                          : Mood::unsure;
    return change_row("build", mood, words);
}

Html boot_change_row(const BootChange& boots) {
    Html words =
        html("A {} of {}, B {} of {}: {}", boots.patched.a.completed, boots.patched.a.booted,
             boots.patched.b.completed, boots.patched.b.booted, to_string(boots.verdict));
    for (const auto& [label, tally] :
         {std::pair{"A", &boots.patched.a}, std::pair{"B", &boots.patched.b}})
        for (const BootFailure& failure : tally->failures)
            words += html("<br>\n{}: {}: {}", label, boot_in_its_run(failure), failure.what);
    return change_row("boots: " + boots.work, mood_of(boots.verdict), words);
}

Html finding_change_row(const FindingChange& finding) {
    Html words = html("{}", finding_words(finding));
    if (finding.verdict == FindingVerdict::blamed) {
        std::vector<std::string> lines = finding.example.lines;
        lines.resize(std::min(lines.size(), most_splat_lines));
        words += html("<pre>{}</pre>\n", join(lines, "\n"));
        if (!finding.console.empty())
            words += html("Log: <code>{}</code> in B", finding.console.string());
    }
    return change_row("splat", mood_of(finding), words);
}

Html test_changes_table(const RunsComparison& runs, const std::string& cell) {
    const TestsAlike count = count_alike(runs, cell);
    if (count.alike + count.not_compared + count.differ == 0)
        return {};
    Html rows;
    for (const TestChange& test : runs.tests) {
        if (test.cell != cell || !test.counted || !test.differs())
            continue;
        const std::string line = line_of(test);
        rows += html("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"{}\">{}{}"
                     "<br>\n<small>against its own baseline: {}</small></td></tr>\n",
                     test.name, short_text(test.patched.a), short_text(test.patched.b),
                     to_string(mood_of(test.verdict)), to_string(test.verdict),
                     line.empty() ? Html() : html("<br>\n{}", line), own_words(test));
    }
    Html section = html("<h3>Tests of the patched kernels: {}</h3>\n", alike_words(count));
    if (!rows.empty())
        section += html("<table>\n<thead>\n<tr><th scope=\"col\">what differs"
                        "</th><th scope=\"col\">A</th><th scope=\"col\">B</th>"
                        "<th scope=\"col\">B against A</th></tr>\n</thead>\n<tbody>\n{}</tbody>\n"
                        "</table>\n",
                        rows);
    return section;
}

Html latency_change_table(const LatencyChange& change) {
    Html rows = change_row("A, patched/baseline", mood_of(change.own.a),
                           html("{}", ratio_words(change.own.a)));
    rows += change_row("B, patched/baseline", mood_of(change.own.b),
                       html("{}", ratio_words(change.own.b)));
    if (change.baselines)
        rows +=
            change_row("baselines, B/A", Mood::none, html("{}", ratio_words(*change.baselines)));
    rows += change.direct ? change_row("patched kernels, B/A", mood_of(*change.direct),
                                       html("{}", ratio_words(*change.direct)))
                          : change_row("patched kernels, B/A", Mood::none,
                                       html("not compared: {}", change.refused));
    return html("<h3>{}, mean time of a call</h3>\n<table>\n<tbody>\n{}</tbody>\n</table>\n",
                change.benchmark, rows);
}

Html runs_cell_section(const RunsComparison& runs, const std::string& cell) {
    Html rows;
    for (const BuildChange& build : runs.builds)
        if (std::find(build.cells.begin(), build.cells.end(), cell) != build.cells.end())
            rows += build_change_row(build);
    for (const BootChange& boots : runs.boots)
        if (boots.cell == cell)
            rows += boot_change_row(boots);
    for (const FindingChange& finding : runs.findings)
        if (finding.cell == cell)
            rows += finding_change_row(finding);
    Html section = html("<section id=\"{}\">\n<h2>{}</h2>\n<table>\n<tbody>\n{}</tbody>\n"
                        "</table>\n",
                        cell_anchor(cell), cell, rows);
    section += test_changes_table(runs, cell);
    for (const LatencyChange& change : runs.latency)
        if (change.cell == cell)
            section += latency_change_table(change);
    section += Html("</section>\n");
    return section;
}

Html runs_about(const RunsComparison& runs) {
    std::vector<std::string> notes = runs.notes;
    for (const auto& [label, cells] :
         {std::pair{"A", &runs.alone.a}, std::pair{"B", &runs.alone.b}})
        if (!cells->empty())
            notes.push_back(fmt::format("{} alone has {}", label, join(*cells, ", ")));
    return html("<section id=\"runs\">\n<h2>The runs</h2>\n<dl>\n<dt>A</dt><dd>{}</dd>\n"
                "<dt>B</dt><dd>{}</dd>\n</dl>\n<ul>\n{}</ul>\n</section>\n",
                run_words(runs.run.a), run_words(runs.run.b), each("li", notes));
}

Html runs_banner(const RunsComparison& runs) {
    Html links;
    for (const std::string& cell : runs.cells)
        links += html("<a href=\"#{}\">{}</a>\n", cell_anchor(cell), cell);
    links += Html("<a href=\"#runs\">the runs</a>\n");
    return html("<header class=\"{}\">\n<p>{} <span>B: v{}, run {}, against A: v{}, run {}</span>"
                "</p>\n<h1>{}</h1>\n<nav>\n{}</nav>\n</header>\n",
                to_string(runs.gating == 0 ? Mood::good : Mood::bad), runs.run.b.series.subject,
                runs.run.b.series.version, runs.run.b.id, runs.run.a.series.version, runs.run.a.id,
                runs.verdict, links);
}

} // namespace

std::string runs_html(const RunsComparison& runs) {
    const RunInfo& a = runs.run.a;
    const RunInfo& b = runs.run.b;
    Html page = page_head(
        fmt::format("{}: v{} against v{}", b.series.subject, b.series.version, a.series.version));
    page += Html("<body>\n");
    page += runs_banner(runs);
    page += Html("<main>\n");
    for (const std::string& cell : runs.cells)
        page += runs_cell_section(runs, cell);
    page += runs_about(runs);
    page += html("</main>\n<footer>\n<p>kmatrix {}</p>\n</footer>\n</body>\n</html>\n",
                 b.kmatrix_version);
    return page.text();
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/html.h"

#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

Mood mood_of(const Comparison& comparison) {
    switch (comparison.outcome) {
    case Outcome::as_wanted:
        return comparison.regressions.empty() ? Mood::good : Mood::unsure;
    case Outcome::regressed:
        return Mood::bad;
    case Outcome::infrastructure:
        return Mood::unsure;
    }
    return Mood::none;
}

Html link(std::string_view section, std::string_view words) {
    return html("<a href=\"#{}\">{}</a>\n", section, words);
}

Html banner(const RunResult& run, const Comparison& comparison) {
    const SeriesInfo& series = run.info.series;
    const std::size_t patches = series.patches.size();
    Html links;
    if (const std::size_t worse = comparison.regressions.size(); worse != 0)
        links += link("worse",
                      worse == 1 ? "1 thing got worse" : fmt::format("{} things got worse", worse));
    if (!run.infrastructure.empty())
        links += link("undone", "what could not be done");
    if (!comparison.steps.empty())
        links += link("steps", "each patch");
    if (!comparison.tests.empty())
        links += link("tests", "tests");
    if (!comparison.builds.empty())
        links += link("builds", "builds");
    links += link("boots", "boots and logs");
    links += link("machine", "machine");
    links += link("series", "series");
    return html("<header class=\"{}\">\n<p>{} <span>v{}, {} patch{}, {}; on Linux {}</span></p>\n"
                "<h1>{}</h1>\n<nav>\n{}</nav>\n</header>\n",
                to_string(mood_of(comparison)), series.subject, series.version, patches,
                patches == 1 ? "" : "es", series.author, run.info.baseline_describe,
                comparison.verdict, links);
}

} // namespace

std::string html_report(const RunResult& run, const Comparison& comparison,
                        const std::vector<Drawing>& drawings) {
    Html page =
        page_head(fmt::format("{} (v{})", run.info.series.subject, run.info.series.version));
    page += Html("<body>\n");
    page += banner(run, comparison);
    page += Html("<main>\n");
    page += matrix_section(run, comparison);
    page += latency_section(run, comparison, drawings);
    page += failures_section(run, comparison);
    page += steps_section(run, comparison);
    page += tests_section(run, comparison);
    page += builds_section(comparison);
    page += boots_section(run, comparison);
    page += about_section(run, comparison);
    page += html("</main>\n<footer>\n<p>kmatrix {}, run {} of {}. The same in "
                 "<a href=\"report.txt\">plain text</a> and <a href=\"junit.xml\">JUnit XML</a>."
                 "</p>\n</footer>\n</body>\n</html>\n",
                 run.info.kmatrix_version, run.info.id, run.info.started);
    return page.text();
}

} // namespace kmatrix

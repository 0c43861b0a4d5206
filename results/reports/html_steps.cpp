// SPDX-License-Identifier: GPL-2.0-only
// Each patch of the series by itself: what builds and boots after it.
#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

Mood step_mood(StepVerdict verdict) {
    switch (verdict) {
    case StepVerdict::works:
        return Mood::good;
    case StepVerdict::breaks:
        return Mood::bad;
    case StepVerdict::no_word:
        return Mood::unsure;
    case StepVerdict::not_run:
        return Mood::none;
    }
    return Mood::none;
}

Html step_row(const StepComparison& step) {
    Html cells = html("<tr>\n<th scope=\"row\">{}: {}</th>", step.patches, step.subject);
    for (const StepTrial& trial : step.trials)
        cells += html("<td class=\"{}\">{}{}{}</td>", to_string(step_mood(trial.verdict)),
                      to_string(trial.verdict), trial.why.empty() ? "" : ": ", trial.why);
    cells += Html("\n</tr>\n");
    return cells;
}

} // namespace

Html steps_section(const RunResult& run, const Comparison& comparison) {
    if (comparison.steps.empty())
        return {};
    Html head;
    for (const StepTrial& trial : comparison.steps.front().trials)
        head += html("<th scope=\"col\">{}</th>", trial.what);
    Html rows;
    for (const StepComparison& step : comparison.steps)
        rows += step_row(step);
    return html("<section id=\"steps\">\n<h2>Each patch by itself</h2>\n<p>{}.</p>\n"
                "<table>\n<thead>\n<tr><th scope=\"col\">after patch</th>{}</tr>\n</thead>\n"
                "<tbody>\n{}</tbody>\n</table>\n</section>\n",
                sentence(comparison.steps, run.info.each_patch), head, rows);
}

} // namespace kmatrix

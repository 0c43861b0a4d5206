// SPDX-License-Identifier: GPL-2.0-only
// What got worse, and what could not be done: each with the lines that matter.
#include <algorithm>

#include "base/text.h"
#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_lines_shown = 80;
constexpr std::size_t most_boots = 20;

Html lines_of(const Regression& regression) {
    std::vector<std::string> lines;
    for (const std::string& line : regression.more)
        if (line != regression.line && !trim(line).empty())
            lines.push_back(line);
    if (lines.empty())
        return {};
    // A splat's head matters, and so does the end of a console that fell silent.
    if (const std::size_t left_out = lines.size() - std::min(lines.size(), most_lines_shown);
        left_out != 0) {
        const auto first = lines.begin() + most_lines_shown / 2;
        *first = fmt::format("[{} lines are left out here; they are in the log]", left_out + 1);
        lines.erase(first + 1, first + 1 + static_cast<std::ptrdiff_t>(left_out));
    }
    return html("<pre>{}</pre>\n", join(lines, "\n"));
}

Html regression_html(const Regression& regression) {
    Html item = html("<article class=\"{}\">\n<h3>{} <span>{}</span></h3>\n",
                     regression.gates ? "bad" : "unsure", regression.what, regression.cell);
    if (!regression.gates)
        item += Html("<p>This does not gate: the matrix file's [gate] does not ask for it.</p>\n");
    if (regression.what.find(regression.line) == std::string::npos)
        item += html("<p><code class=\"line\">{}</code></p>\n", regression.line);
    item += lines_of(regression);
    if (!regression.log.empty())
        item += html("<p>Log: {}</p>\n", log_link(regression.log, regression.log.string()));
    if (!regression.command.empty())
        item += html("<p>To see it again:</p>\n{}", again(regression.command));
    item += Html("</article>\n");
    return item;
}

Html not_run(const RunResult& run) {
    if (run.not_run.empty())
        return {};
    const std::size_t shown = std::min(run.not_run.size(), most_boots);
    std::vector<std::string> boots(run.not_run.begin(),
                                   run.not_run.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < run.not_run.size())
        boots.push_back(fmt::format("and {} more", run.not_run.size() - shown));
    return html("<section id=\"not-run\">\n<h2>Not run</h2>\n<ul>\n{}</ul>\n</section>\n",
                each("li", boots));
}

} // namespace

Html failures_section(const RunResult& run, const Comparison& comparison) {
    Html section;
    if (!comparison.regressions.empty()) {
        section += Html("<section id=\"worse\">\n<h2>What got worse</h2>\n");
        for (const Regression& regression : comparison.regressions)
            section += regression_html(regression);
        section += Html("</section>\n");
    }
    if (!run.infrastructure.empty()) {
        section += Html("<section id=\"undone\">\n<h2>What could not be done, through no fault of "
                        "the series</h2>\n");
        for (const auto& [what, error] : run.infrastructure)
            section += html("<article class=\"unsure\">\n<h3>{}</h3>\n<pre>{}</pre>\n</article>\n",
                            what, error);
        section += Html("</section>\n");
    }
    section += not_run(run);
    return section;
}

} // namespace kmatrix

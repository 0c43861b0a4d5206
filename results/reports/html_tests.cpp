// SPDX-License-Identifier: GPL-2.0-only
// Every test and subtest of every cell, folded away: most readers need only their counts.
#include <algorithm>
#include <utility>

#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

std::string words(const TestTally& tally) {
    if (tally.runs() == 0)
        return "-";
    if (tally.runs() == 1)
        return std::string(to_string(tally.worst));
    return tally.skipped == tally.runs() ? fmt::format("skip {} times", tally.runs())
           : tally.passed == tally.runs()
               ? fmt::format("pass {} times", tally.runs())
               : fmt::format("{} of {} pass", tally.passed, tally.runs());
}

std::string counts_text(const TestCounts& counts) {
    std::string text =
        fmt::format("{} test{}: {} pass{} on both", counts.all(), counts.all() == 1 ? "" : "s",
                    counts.passes, counts.passes == 1 ? "es" : "");
    for (const std::string& other : other_counts(counts))
        text += ", " + other;
    return text;
}

Html row(const TestComparison& test) {
    const std::string label =
        test.depth == 0 ? name(test) : test.subtest.substr(test.subtest.rfind('/') + 1);
    const std::string words_of_it = whole_why(test);
    const Html why = words_of_it.empty() ? Html() : html("<br>\n<small>{}</small>", words_of_it);
    // The spaces are for browsers that know no style sheets.
    return html("<tr><th scope=\"row\" class=\"depth{}\">{}{}</th><td>{}</td><td>{}</td>"
                "<td class=\"{}\">{}{}</td></tr>\n",
                std::min(test.depth, 5), Html([&] {
                    std::string spaces;
                    for (int i = 0; i < test.depth; ++i)
                        spaces += "&#160;&#160;";
                    return spaces;
                }()),
                label, words(test.side.baseline), words(test.side.patched),
                to_string(mood_of(test.verdict)), to_string(test.verdict), why);
}

} // namespace

Html tests_section(const RunResult& run, const Comparison& comparison) {
    Html cells;
    for (const Cell& cell : run.matrix.cells) {
        const TestCounts counts = count(comparison.tests, cell.id);
        if (counts.all() == 0)
            continue;
        Html rows;
        for (const TestComparison& test : comparison.tests)
            if (test.cell == cell.id)
                rows += row(test);
        cells += html("<details>\n<summary>{} <span>{}</span></summary>\n<table>\n<thead>\n<tr>"
                      "<th scope=\"col\">test</th><th scope=\"col\">baseline</th>"
                      "<th scope=\"col\">patched</th><th scope=\"col\">verdict</th></tr>\n"
                      "</thead>\n<tbody>\n{}</tbody>\n</table>\n</details>\n",
                      cell.id, counts_text(counts), rows);
    }
    if (cells.empty())
        return {};
    return html("<section id=\"tests\">\n<h2>Tests</h2>\n<p>Counted by their leaves: a program "
                "that reports subtests counts as those.</p>\n{}</section>\n",
                cells);
}

} // namespace kmatrix

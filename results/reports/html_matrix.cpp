// SPDX-License-Identifier: GPL-2.0-only
// The matrix as a grid: what each kernel of each cell did, each in a word and a colour.
#include "base/text.h"
#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

struct Square {
    Mood mood = Mood::none;
    std::string words;
    bool regressed = false;
};

Square build_square(const Comparison& comparison, const Cell& cell, Kernel kernel) {
    for (const BuildComparison& build : comparison.builds) {
        if (build.key != cell.build())
            continue;
        Square square;
        switch (build.side.of(kernel).state) {
        case BuildState::built:
            square = {Mood::good, "builds", false};
            break;
        case BuildState::broken:
            square = {Mood::bad, "broken", false};
            break;
        case BuildState::not_run:
            square = {Mood::none, "not built", false};
            break;
        }
        if (kernel == Kernel::patched) {
            square.regressed = build.verdict == BuildVerdict::regressed;
            if (build.same_image)
                square.words += ", same image";
            if (const std::size_t count = build.new_warnings.size(); count != 0) {
                square.mood = Mood::unsure;
                square.words += fmt::format(", {} new warning{}", count, count == 1 ? "" : "s");
            }
        }
        return square;
    }
    return {Mood::none, "not built", false};
}

Square boots_square(const Comparison& comparison, const Cell& cell, Kernel kernel) {
    std::size_t planned = 0, booted = 0, completed = 0, excused = 0;
    Square square;
    for (const BootComparison& boots : comparison.boots) {
        if (boots.cell != cell.id)
            continue;
        const BootTally& tally = boots.side.of(kernel);
        planned += tally.planned;
        booted += tally.booted;
        completed += tally.completed;
        excused += tally.excused();
        if (kernel == Kernel::patched && boots.verdict == BootVerdict::regressed)
            square.regressed = true;
    }
    std::size_t splats = 0;
    bool blamed = false;
    for (const FindingComparison& finding : comparison.findings)
        if (finding.cell == cell.id && finding.boots.of(kernel) != 0) {
            ++splats;
            blamed |= kernel == Kernel::patched && finding.verdict == FindingVerdict::blamed;
        }
    if (booted == 0) {
        square.words = planned == 0 ? "none planned" : "not booted";
        return square;
    }
    square.words = fmt::format("{} of {} boot", completed, booted);
    square.mood = completed == booted             ? Mood::good
                  : completed + excused == booted ? Mood::unsure
                                                  : Mood::bad;
    if (excused != 0)
        square.words += fmt::format(", {} too slow to say", excused);
    if (planned > booted)
        square.words += fmt::format(", {} not run", planned - booted);
    if (splats != 0) {
        square.words += fmt::format(", {} splat{}", splats, splats == 1 ? "" : "s");
        if (square.mood == Mood::good)
            square.mood = Mood::unsure;
    }
    if (blamed) {
        square.mood = Mood::bad;
        square.regressed = true;
    }
    return square;
}

Square tests_square(const Comparison& comparison, const Cell& cell, Kernel kernel) {
    std::size_t passed = 0, failed = 0, missing = 0, mixed = 0, skipped = 0;
    Square square;
    for (const TestComparison& test : comparison.tests) {
        if (test.cell != cell.id || !test.counted)
            continue;
        const TestTally& tally = test.side.of(kernel);
        if (tally.runs() == 0)
            continue;
        if (tally.skipped == tally.runs())
            ++skipped;
        else if (tally.failed + tally.missing == 0)
            ++passed;
        else if (tally.passed != 0)
            ++mixed;
        else if (tally.failed != 0)
            ++failed;
        else
            ++missing;
        if (kernel == Kernel::patched && test.verdict == TestVerdict::regressed)
            square.regressed = true;
    }
    std::vector<std::string> words;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count != 0)
            words.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    add(failed, "fails", "fail");
    add(missing, "missing", "missing");
    add(mixed, "flaky", "flaky");
    add(passed, "passes", "pass");
    add(skipped, "skipped", "skipped");
    if (words.empty()) {
        square.words = cell.selftests.empty() ? "none asked for" : "none ran";
        return square;
    }
    square.words = join(words, ", ");
    square.mood = failed + missing != 0 ? Mood::bad
                  : mixed != 0          ? Mood::unsure
                  : passed != 0         ? Mood::good
                                        : Mood::none;
    return square;
}

Html square_html(const Square& square, std::string_view kernel, std::string_view column) {
    return html("<td class=\"{} {}\" data-label=\"{} {}\">{}{}</td>\n", to_string(square.mood),
                kernel, kernel, column, square.words,
                square.regressed ? Html(" <strong>regressed</strong>") : Html());
}

Html latency_square(const Comparison& comparison, const Cell& cell) {
    Html lines;
    Mood worst = Mood::none;
    for (const LatencyComparison& latency : comparison.latency) {
        if (latency.cell != cell.id)
            continue;
        const Mood mood = mood_of(latency);
        if (worst == Mood::none || mood == Mood::bad ||
            (mood == Mood::unsure && worst == Mood::good))
            worst = mood;
        lines += html("{}<a href=\"#{}\">{}</a>: {}{}", lines.empty() ? Html() : Html("<br>\n"),
                      latency_anchor(comparison, latency), latency.benchmark,
                      latency.changed() ? speed_text(*latency.ratio)
                                        : std::string(to_string(latency.verdict)),
                      latency.emulated ? ", emulated" : "");
    }
    return html("<td class=\"{} calls\" data-label=\"calls\">{}</td>\n", to_string(worst),
                lines.empty() ? Html("not asked for") : lines);
}

} // namespace

Html matrix_section(const RunResult& run, const Comparison& comparison) {
    Html rows;
    for (const Cell& cell : run.matrix.cells) {
        const Axes& axes = cell.axes;
        rows += html("<tr>\n<th scope=\"row\">{} <span>{}, {} vCPUs, {}{}</span></th>\n",
                     to_string(axes.arch), config_name(axes.config), axes.vcpus, axes.compiler,
                     axes.cmdline.empty() ? std::string() : ", " + axes.cmdline);
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            const std::string_view name = to_string(kernel);
            rows += square_html(build_square(comparison, cell, kernel), name, "build");
            rows += square_html(boots_square(comparison, cell, kernel), name, "boots");
            rows += square_html(tests_square(comparison, cell, kernel), name, "tests");
        }
        if (!comparison.latency.empty())
            rows += latency_square(comparison, cell);
        rows += Html("</tr>\n");
    }
    const Html columns("<th scope=\"col\">build</th><th scope=\"col\">boots</th>"
                       "<th scope=\"col\">tests</th>");
    const Html calls(
        comparison.latency.empty() ? "" : "<th rowspan=\"2\" scope=\"col\">patched calls are</th>");
    return html("<section id=\"matrix\">\n<h2>The matrix</h2>\n<table class=\"matrix\">\n"
                "<thead>\n<tr><th rowspan=\"2\" scope=\"col\">cell</th>"
                "<th colspan=\"3\" scope=\"colgroup\">baseline</th>"
                "<th colspan=\"3\" scope=\"colgroup\">patched</th>{1}</tr>\n"
                "<tr>{0}{0}</tr>\n</thead>\n<tbody>\n{2}</tbody>\n</table>\n</section>\n",
                columns, calls, rows);
}

} // namespace kmatrix

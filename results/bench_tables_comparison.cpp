// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "results/bench_tables.h"
#include "results/statistics/describe.h"

namespace kmatrix {

namespace {

// What the script prints is rounded to a thousandth of a millisecond. A mean of rounded values is
// off by no more than each of them.
constexpr double half_unit_ms = 0.0005;

using Figures = std::vector<std::pair<std::string, double>>;

Figures figures_of(const BenchTable& table) {
    if (table.raw)
        return {{"median of means", table.median_ms},
                {"mean of means", statistics::mean(table.means_ms)},
                {"smallest mean", table.means_ms.front()},
                {"largest mean", table.means_ms.back()},
                // Maxima are never averaged: each is of another number of calls.
                {"median of maxima", statistics::median(table.maxima_ms)},
                {"largest maximum", table.maxima_ms.back()}};
    if (table.of_maxima)
        return {{"median of maxima", table.median_ms},
                {"smallest maximum", table.means_ms.front()},
                {"largest maximum", table.maxima_ms.back()}};
    return {{"median of means", table.median_ms},
            {"smallest mean", table.means_ms.front()},
            {"largest maximum", table.maxima_ms.back()}};
}

BenchFigure figure(const std::string& name, double a_ms, double b_ms) {
    BenchFigure figure{name, a_ms, b_ms, std::nullopt, 0, std::nullopt};
    if (b_ms > 0)
        figure.fell = a_ms / b_ms;
    figure.fell_least = std::max(0.0, a_ms - half_unit_ms) / (b_ms + half_unit_ms);
    if (b_ms > half_unit_ms)
        figure.fell_most = (a_ms + half_unit_ms) / (b_ms - half_unit_ms);
    return figure;
}

std::string label(const BenchTable& table) {
    const std::string run = table.options.empty() ? "" : table.options + ", ";
    if (table.raw)
        return run + fmt::format("raw table {}", table.busy + 1);
    return run + fmt::format("{} busy CPU{}", table.busy, table.busy == 1 ? "" : "s");
}

BenchTablePair pair_of(const BenchTable& a, const BenchTable& b, std::string label) {
    BenchTablePair pair;
    pair.label = std::move(label);
    pair.a_samples = a.raw ? a.means_ms.size() : 0;
    pair.b_samples = b.raw ? b.means_ms.size() : 0;
    const Figures others = figures_of(b);
    for (const auto& [name, a_ms] : figures_of(a))
        for (const auto& [other_name, b_ms] : others)
            if (name == other_name)
                pair.figures.push_back(figure(name, a_ms, b_ms));
    return pair;
}

bool belong_together(const BenchTable& a, const BenchTable& b) {
    return a.options == b.options && a.busy == b.busy && a.raw == b.raw;
}

void add_warnings(const std::vector<BenchTable>& a, const std::vector<BenchTable>& b,
                  BenchComparison& comparison) {
    std::vector<std::string>& warnings = comparison.warnings;
    warnings.emplace_back("each side is one boot: how much boots of one kernel differ is not in "
                          "these figures, so no test can tell a change from chance");
    const auto is_raw = [](const BenchTable& table) { return table.raw; };
    if (std::any_of(a.begin(), a.end(), is_raw) || std::any_of(b.begin(), b.end(), is_raw))
        warnings.emplace_back("the script sorts each column on its own: a row is no run, and the "
                              "first column is one number, the median of the second, repeated");
    for (const BenchTablePair& pair : comparison.pairs)
        if (pair.a_samples != 0 && pair.b_samples != 0 && pair.a_samples != pair.b_samples) {
            warnings.push_back(fmt::format("{}{} runs against {}: the largest of more runs is "
                                           "larger",
                                           pair.label.empty() ? "" : pair.label + ": ",
                                           pair.a_samples, pair.b_samples));
        }
    for (const auto* tables : {&a, &b}) {
        int hung = 0;
        for (const BenchTable& table : *tables)
            hung += table.hung;
        if (hung != 0)
            warnings.push_back(fmt::format("{} runs of the {} table hung and were killed", hung,
                                           tables == &a ? "first" : "second"));
    }
}

std::string times(double value) {
    return value < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::string factor_text(double fell) {
    const double rose = 1 / fell;
    if (fell >= 1.5)
        return fmt::format("fell {} times", times(fell));
    if (rose >= 1.5)
        return fmt::format("rose {} times", times(rose));
    return fell >= 1 ? fmt::format("fell {:.1f} %", 100 * (1 - rose))
                     : fmt::format("rose {:.1f} %", 100 * (rose - 1));
}

std::string bounds_text(const BenchFigure& figure) {
    std::string least;
    std::string most;
    if (*figure.fell >= 1.5) {
        least = times(figure.fell_least);
        most = figure.fell_most ? times(*figure.fell_most) : "any number of";
    } else if (*figure.fell <= 1 / 1.5 && figure.fell_most) {
        least = times(1 / *figure.fell_most);
        most = figure.fell_least > 0 ? times(1 / figure.fell_least) : "any number of";
    }
    return least == most ? "" : fmt::format(" ({} to {} times within rounding)", least, most);
}

} // namespace

Result<BenchComparison> compare(const std::vector<BenchTable>& a,
                                const std::vector<BenchTable>& b) {
    BenchComparison comparison;
    if (a.size() == 1 && b.size() == 1) {
        comparison.pairs.push_back(pair_of(a.front(), b.front(), ""));
    } else {
        std::set<const BenchTable*> paired;
        for (const BenchTable& of_a : a)
            for (const BenchTable& of_b : b)
                if (belong_together(of_a, of_b) && paired.insert(&of_b).second) {
                    paired.insert(&of_a);
                    comparison.pairs.push_back(pair_of(of_a, of_b, label(of_a)));
                    break;
                }
        for (const auto* tables : {&a, &b})
            for (const BenchTable& table : *tables)
                if (paired.count(&table) == 0)
                    comparison.unpaired.push_back(label(table));
    }
    if (comparison.pairs.empty() || comparison.pairs.front().figures.empty())
        return user_error("the two texts have no tables of the same options, number of busy CPUs "
                          "and form in common");
    add_warnings(a, b, comparison);
    return comparison;
}

std::string change_text(const BenchFigure& figure) {
    if (!figure.fell)
        return figure.a_ms > 0 ? fmt::format("fell at least {} times", times(figure.fell_least))
                               : "is 0 on both sides";
    if (figure.a_ms <= 0)
        return "rose from 0";
    if (figure.fell_least <= 1 && (!figure.fell_most || *figure.fell_most >= 1))
        return "differs by no more than rounding";
    return factor_text(*figure.fell) + bounds_text(figure);
}

std::string text(const BenchComparison& comparison, const std::string& name_a,
                 const std::string& name_b) {
    std::string text = fmt::format("A: {}\nB: {}\nmmap() and munmap() times in ms, as "
                                   "run-proc-vs-map.sh printed them\n",
                                   name_a, name_b);
    for (const BenchTablePair& pair : comparison.pairs) {
        text += "\n";
        if (!pair.label.empty())
            text += pair.label + "\n";
        text += fmt::format("{:<18} {:>9} {:>9}\n", "", "A", "B");
        for (const BenchFigure& figure : pair.figures)
            text += fmt::format("{:<18} {:>9.3f} {:>9.3f}  {}\n", figure.name, figure.a_ms,
                                figure.b_ms, change_text(figure));
    }
    text += "\n";
    for (const std::string& label : comparison.unpaired)
        text += fmt::format("Only on one side: {}\n", label);
    for (const std::string& warning : comparison.warnings)
        text += fmt::format("Warning: {}.\n", warning);
    return text;
}

} // namespace kmatrix

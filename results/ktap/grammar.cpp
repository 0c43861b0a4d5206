// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/grammar.h"

#include <algorithm>

#include "base/text.h"
#include "results/ktap/words.h"

namespace kmatrix::ktap {

std::optional<PlanLine> read_plan(std::string_view content) {
    PlanLine plan;
    if (!take(content, "1.."))
        return {};
    const auto count = take_number(content);
    if (!count)
        return {};
    plan.count = *count;
    content = trim(content);
    if (content.empty())
        return plan;
    if (content[0] != '#')
        return {};
    const Word word = word_at(content, 1);
    if (directive(word.text, true, Form::spaced) == "skip")
        plan.skip = trim(content.substr(word.end));
    return plan;
}

bool is_version(std::string_view content) {
    take(content, "K");
    return take(content, "TAP version ") && take_number(content) && trim(content).empty();
}

std::optional<std::string_view> read_bail_out(std::string_view content) {
    constexpr std::string_view words = "BAIL OUT!";
    if (upper(content.substr(0, words.size())) != words)
        return {};
    return trim(content.substr(words.size()));
}

std::optional<TotalsLine> read_totals(std::string_view content) {
    // Only these two are kselftest's and KUnit's; a test's own "PASS:174 SKIP:0" counts what it
    // likes.
    const bool older = !take(content, "Totals: ");
    const char separator = older ? ' ' : ':';
    if (!content.starts_with(older ? "Pass " : "pass:"))
        return {};
    TotalsLine totals;
    std::size_t counts = 0;
    while (!content.empty()) {
        std::size_t end = 0;
        while (end < content.size() && is_letter(content[end]))
            ++end;
        const std::string word = upper(content.substr(0, std::min<std::size_t>(end, 16)));
        if (end == 0 || end == content.size() || content[end] != separator)
            return {};
        content.remove_prefix(end + 1);
        const auto number = take_number(content);
        if (!number)
            return {};
        if (word != "TOTAL")
            totals.all += *number;
        if (word == "FAIL" || word == "ERROR")
            totals.failed += *number;
        ++counts;
        content.remove_prefix(skip_spaces(content));
    }
    return counts >= 3 ? std::optional(totals) : std::nullopt;
}

std::optional<PlannedRun> read_planned_run(std::string_view content) {
    if (!take(content, "Planned tests != run tests ("))
        return {};
    const auto planned = take_number(content);
    if (!planned || !take(content, " != "))
        return {};
    const auto run = take_number(content);
    if (!run || !take(content, ")"))
        return {};
    return PlannedRun{*planned, *run};
}

std::optional<std::string_view> read_header(std::string_view content) {
    if (!take(content, runner_word))
        return {};
    const std::size_t end = runner_name(content);
    const std::string_view name = content.substr(0, end);
    if (end != content.size() || name.find(": ") == std::string_view::npos)
        return {};
    return name;
}

std::optional<std::string_view> read_subtest(std::string_view content) {
    if (!take(content, "Subtest:"))
        return {};
    content = trim(content);
    return content.empty() ? std::nullopt : std::optional(content);
}

} // namespace kmatrix::ktap

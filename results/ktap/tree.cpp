// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/tree.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "results/ktap/harness.h"
#include "results/ktap/words.h"

namespace kmatrix::ktap {
namespace {

constexpr std::size_t most_notes = 200;

// Metadata of KTAP version 2: "#:prefix_type: value".
bool is_metadata(std::string_view content) {
    return content.size() > 2 && content.starts_with("#:") && content[2] != ' ';
}

} // namespace

std::vector<Scope>::iterator Tree::place_of(std::size_t column) {
    return std::lower_bound(
        scopes_.begin(), scopes_.end(), column,
        [](const Scope& scope, std::size_t wanted) { return scope.column < wanted; });
}

Scope* Tree::at_column(std::size_t column) {
    const auto at = place_of(column);
    return at != scopes_.end() && at->column == column ? &*at : nullptr;
}

Scope* Tree::around(std::size_t column) {
    const auto after = place_of(column + 1);
    return after == scopes_.begin() ? nullptr : &*std::prev(after);
}

Scope& Tree::open(std::size_t column) {
    const auto at = place_of(column);
    if (at != scopes_.end() && at->column == column)
        return *at;
    Scope& scope = *scopes_.emplace(at, column);
    scope.text = std::exchange(before_all_, {});
    return scope;
}

std::size_t Tree::tests_below(std::size_t column) {
    std::size_t tests = 0;
    for (auto at = place_of(column + 1); at != scopes_.end(); ++at)
        tests += at->tests.size();
    return tests;
}

// A test was announced at this level, and something else than its result has come.
void Tree::end_announced(Scope& scope, Closed&& inner) {
    const bool has_tests = !inner.tests.empty();
    Closed named = in_subtest(std::move(inner));
    if (scope.header) {
        scope.add_missing(*std::exchange(scope.header, {}), std::move(named));
    } else if (scope.subtest && !scope.subtest_has_own() && (has_tests || scope.column == 0)) {
        scope.add_missing(std::exchange(scope.subtest, {})->name,
                          std::move(named)); // TAP 14's form
    } else {
        scope.adopt(std::move(named));
    }
}

Closed Tree::gather(std::size_t column, bool with_itself) {
    Closed inner;
    bool is_inner = false;
    while (!scopes_.empty() &&
           (scopes_.back().column > column || (with_itself && scopes_.back().column == column))) {
        Scope scope = std::move(scopes_.back());
        scopes_.pop_back();
        scope.prove_glued({}, inner);
        if (is_inner || scope.header || scope.subtest)
            end_announced(scope, std::exchange(inner, {}));
        inner = scope.close();
        is_inner = true;
    }
    return inner;
}

void Tree::line(std::string_view raw) {
    std::optional<Position> before;
    for (std::size_t begin = 0; begin <= raw.size();) {
        const std::size_t end = std::min(raw.find('\r', begin), raw.size());
        if (end > begin) {
            const std::string text = printable(raw.substr(begin, end - begin));
            std::string_view rest = text;
            while (!rest.empty()) { // one console line may have the next one glued to it
                const std::size_t cut =
                    console_prefix(rest) > 0 ? inner_stamp(rest) : std::string_view::npos;
                const Position at = piece(rest.substr(0, cut), before);
                if (!before)
                    before = at;
                rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut);
            }
        }
        begin = end + 1;
    }
}

Position Tree::piece(std::string_view text, const std::optional<Position>& before) {
    const Line line = place(text, before);
    std::size_t begin = 0;
    for (const std::size_t start : runner_results(line.content)) {
        if (start == 0)
            continue;
        content(begin == 0 ? line.at : Position{line.at.hash.value_or(line.at.column), {}},
                trim(line.content.substr(begin, start - begin)));
        begin = start;
    }
    // The runner's own lines stand one "# " to the left of the text that they are glued to.
    content(begin == 0 ? line.at : Position{line.at.hash.value_or(line.at.column), {}},
            line.content.substr(begin));
    return line.at;
}

void Tree::content(Position at, std::string_view text) {
    while (!text.empty()) {
        const auto line = read_result(text);
        if (!line) {
            other(at, text);
            return;
        }
        const Scope* scope = at_column(at.column);
        if (!line->number && !line->runner && (scope == nullptr || !scope->is_ktap)) {
            unnumbered(at, text);
            return;
        }
        const std::string_view rest = line->rest;
        result(at, *line,
               text.substr(0, rest.empty() ? text.size()
                                           : static_cast<std::size_t>(rest.data() - text.data())));
        const Line glued = place(rest);
        at = glued.at;
        text = glued.content;
    }
}

void Tree::result(const Position& at, const ResultLine& line, std::string_view text) {
    std::size_t column = at.column;
    if (line.runner && at.hash) { // "# " may be all that the test wrote before its result
        const Scope* runner = at_column(*at.hash);
        if (runner != nullptr && runner->header && *runner->header == line.name)
            column = *at.hash;
    }
    if (unnumbered_column_ >= column)
        unnumbered_.clear();
    Closed inner = gather(column);
    Scope& scope = open(column);
    scope.prove_glued(line.number, inner);
    if (scope.header && *scope.header == line.name)
        scope.header.reset();
    else if (scope.header && line.runner)
        end_announced(scope, std::exchange(inner, {}));
    if (scope.subtest && scope.subtest->name == line.name && !scope.subtest_has_own() &&
        !inner.tests.empty())
        scope.subtest.reset();
    scope.add(line, std::move(inner));
    if (!line.runner)
        scope.expect_glued(text, true, 0);
}

void Tree::unnumbered(const Position& at, std::string_view text) {
    if (unnumbered_column_ != at.column)
        unnumbered_.clear();
    unnumbered_column_ = at.column;
    unnumbered_.emplace_back(text);
    words(at, text);
}

void Tree::plan(const Position& at, const PlanLine& line) {
    Scope& scope = open(at.column);
    if (at.column == unnumbered_column_) { // the plan came last: they were results
        for (const std::string& text : std::exchange(unnumbered_, {}))
            if (const auto result = read_result(text))
                scope.add(*result, {});
    }
    scope.plan(line);
}

void Tree::subtest(std::size_t column, std::string_view name) {
    Scope* scope = at_column(column);
    const bool was_ktap = scope != nullptr && scope->is_ktap;
    if (scope != nullptr && scope->subtest) {
        if (column > 0 && (scope->subtest_has_own() || tests_below(column) == 0)) {
            // KUnit's form: the suite before this one never got its result
            Closed before = gather(column, true);
            Scope& parent = open(scopes_.empty() ? column - 1 : scopes_.back().column);
            parent.adopt(in_subtest(std::move(before)));
        } else {
            Closed inner = gather(column);
            end_announced(*at_column(column), std::move(inner));
        }
    }
    Scope& here = open(column);
    here.is_ktap = here.is_ktap || was_ktap;
    here.subtest = Subtest{shortened(name, 1000), here.tests.size(), false};
}

bool Tree::announcement(const Position& at, std::string_view text) {
    if (!at.hash)
        return false;
    if (const auto header = read_header(text)) {
        Closed inner = gather(*at.hash);
        Scope& scope = open(*at.hash);
        end_announced(scope, std::move(inner));
        scope.is_ktap = true;
        scope.is_runner = true;
        scope.header = shortened(*header, 1000);
        return true;
    }
    if (const auto name = read_subtest(text)) {
        subtest(*at.hash, *name);
        return true;
    }
    return false;
}

bool Tree::reckoning(const Position& at, std::string_view text) {
    // "# " before it is the runner's if its test has a level of its own, else the program's own.
    Scope* scope = at_column(at.column);
    if (scope == nullptr && at.hash)
        scope = at_column(*at.hash);
    if (scope == nullptr || scope->header)
        return false;
    if (const auto totals = read_totals(text)) {
        scope->tally.totals(*totals);
        return true;
    }
    if (const auto counts = read_planned_run(text)) {
        scope->tally.planned_run(*counts);
        return true;
    }
    return false;
}

bool Tree::harness(const Position& at, std::string_view text) {
    const auto line = read_harness(text);
    if (!line)
        return false;
    const std::size_t column = line->bracketed ? at.column : at.hash.value_or(at.column);
    if (line->kind == HarnessLine::Kind::run)
        return open(column).harness.take(*line);
    Scope* scope = at_column(column);
    return scope != nullptr && scope->harness.take(*line);
}

void Tree::other(const Position& at, std::string_view text) {
    if (is_metadata(text))
        return;
    if (is_version(text)) {
        Closed inner = gather(at.column);
        Scope& scope = open(at.column);
        if (!inner.tests.empty() || scope.header)
            end_announced(scope, std::move(inner));
        else
            scope.adopt(std::move(inner));
        scope.version();
        return;
    }
    if (const auto line = read_plan(text)) {
        plan(at, *line);
        return;
    }
    if (const auto reason = read_bail_out(text)) {
        // kselftest.h goes on in the same line where the reason has no newline of its own
        const std::size_t glued = std::min(reason->find("# Totals: "), reason->find("# Planned "));
        const std::string_view words_of_it = trim(reason->substr(0, glued));
        Scope& scope = open(at.column);
        if (!scope.bail_out)
            scope.bail_out = shortened(words_of_it, Lines::line_bytes);
        words(at, fmt::format("Bail out! {}", words_of_it));
        if (glued < reason->size())
            reckoning({at.column + 2, at.column}, reason->substr(glued + 2));
        return;
    }
    if (announcement(at, text) || reckoning(at, text) || harness(at, text))
        return;
    words(at, text);
}

void Tree::words(const Position& at, std::string_view text) {
    Scope* scope = around(at.column);
    if (scope == nullptr) {
        before_all_.add(text);
        return;
    }
    if (!scope->harness.take_text(text))
        scope->text.add(text);
    for (const std::optional<std::size_t> column : {at.hash, std::optional(at.column)}) {
        Scope* level = column ? at_column(*column) : nullptr;
        if (level != nullptr && level->may_be_glued(text))
            level->expect_glued(text, false, tests_below(*column));
    }
}

Report Tree::finish() {
    Report report;
    Closed all = in_subtest(gather(0, true));
    report.tests = std::move(all.tests);
    report.bail_out = std::move(all.bail_out);
    report.skip = std::move(all.skip);
    report.notes = std::move(all.notes);
    if (report.notes.size() > most_notes) {
        const std::size_t left_out = report.notes.size() - most_notes;
        report.notes.resize(most_notes);
        report.notes.push_back(fmt::format("[{} notes left out]", left_out));
    }
    const auto any = [&](auto is) {
        return std::any_of(report.tests.begin(), report.tests.end(),
                           [&](const Test& test) { return is(test.effective); });
    };
    const auto is_skip = [](const std::string& status) { return status == "skip"; };
    if (report.bail_out || all.failed || any(is_failure))
        report.effective = "fail";
    else if (all.incomplete || report.empty() ||
             any([](const std::string& status) { return status == "missing"; }))
        report.effective = "missing";
    else
        report.effective =
            any([&](const std::string& status) { return !is_skip(status); }) ? "pass" : "skip";
    return report;
}

} // namespace kmatrix::ktap

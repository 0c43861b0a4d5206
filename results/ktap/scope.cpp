// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/scope.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "results/ktap/words.h"

namespace kmatrix::ktap {
namespace {

constexpr std::size_t name_bytes = 1000;

template <class T>
void move_to_end(std::vector<T>& to, std::vector<T>& from) {
    if (to.empty())
        to = std::move(from);
    else
        to.insert(to.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    from.clear();
}

// What the line says against what is below it. A test that is expected to fail may; one that failed
// needs no more; a skipped one need not be complete.
std::string effective(const Test& test, const Closed& inner) {
    const bool claims_success =
        test.status == "pass" || test.status == "skip" || test.status == "xpass";
    if (!claims_success)
        return test.status;
    bool failed = inner.failed || inner.bail_out;
    bool incomplete = inner.incomplete;
    for (const Test& child : test.children) {
        failed = failed || is_failure(child.effective);
        incomplete = incomplete || child.effective == "missing";
    }
    if (failed)
        return "fail";
    return incomplete && test.status != "skip" ? "missing" : test.status;
}

void describe(Test& test, const ResultLine& line, std::size_t place) {
    test.name = line.name.empty() ? fmt::format("test {}", line.number ? *line.number : place)
                                  : shortened(line.name, name_bytes);
    test.status = line.status;
    test.effective = line.status;
    test.reason = shortened(line.reason, Lines::line_bytes);
}

} // namespace

void Closed::append(Closed&& later) {
    move_to_end(tests, later.tests);
    move_to_end(heights, later.heights);
    text.append(std::move(later.text));
    if (!bail_out)
        bail_out = std::move(later.bail_out);
    if (!skip)
        skip = std::move(later.skip);
    incomplete = incomplete || later.incomplete;
    failed = failed || later.failed;
    move_to_end(notes, later.notes);
}

Closed Closed::take_front(std::size_t count) {
    count = std::min(count, tests.size());
    const auto end = static_cast<std::ptrdiff_t>(count);
    Closed front;
    front.tests.assign(std::make_move_iterator(tests.begin()),
                       std::make_move_iterator(tests.begin() + end));
    front.heights.assign(heights.begin(), heights.begin() + end);
    tests.erase(tests.begin(), tests.begin() + end);
    heights.erase(heights.begin(), heights.begin() + end);
    return front;
}

void Scope::attach(Test& test, Closed&& inner, std::optional<std::size_t> slot) {
    int height = 1;
    for (std::size_t i = 0; i < inner.tests.size(); ++i) {
        if (inner.heights[i] >= max_depth) { // stays beside its parent
            tests.push_back(std::move(inner.tests[i]));
            heights_.push_back(inner.heights[i]);
        } else {
            test.children.push_back(std::move(inner.tests[i]));
            height = std::max(height, inner.heights[i] + 1);
        }
    }
    Lines lines = std::exchange(text, {});
    lines.append(std::move(inner.text));
    test.diagnostics = lines.take();
    if (test.status == "skip" && test.reason.empty() && inner.skip)
        test.reason = *inner.skip;
    test.effective = effective(test, inner);
    for (const std::string& note : inner.notes)
        notes_.push_back(test.name + ": " + note);
    if (slot) {
        tests[*slot] = std::move(test);
        heights_[*slot] = height;
    } else {
        tests.push_back(std::move(test));
        heights_.push_back(height);
    }
}

void Scope::add(const ResultLine& line, Closed&& inner) {
    is_ktap = true;
    is_runner = is_runner || line.runner;
    ++results_;
    last_number_ = line.number ? *line.number : last_number_ + 1;
    Test test;
    describe(test, line, results_);
    harness.reported(test.name);

    std::optional<std::size_t> slot;
    if (const auto found = missing_.find(test.name); found != missing_.end()) {
        slot = found->second;
        missing_.erase(found);
        Closed before;
        before.tests = std::move(tests[*slot].children);
        before.heights.assign(before.tests.size(), heights_[*slot] - 1);
        for (const std::string& diagnostic : tests[*slot].diagnostics)
            before.text.add(diagnostic);
        before.append(std::move(inner));
        inner = std::move(before);
    }
    if (line.number)
        tally.result();
    else
        unnumbered_.push_back(slot.value_or(tests.size()));
    attach(test, std::move(inner), slot);
}

void Scope::add_missing(std::string name, Closed&& inner) {
    Test test;
    test.name = shortened(name, name_bytes);
    test.status = "missing";
    const std::string known = test.name;
    attach(test, std::move(inner), {});
    missing_[known] = tests.size() - 1;
}

void Scope::adopt(Closed&& orphans) {
    // Indented one level too many, they may still be what this level's plan meant.
    if (tally.seen() == 0 && tally.awaited() == orphans.tests.size())
        for (std::size_t i = 0; i < orphans.tests.size(); ++i)
            tally.result();
    move_to_end(tests, orphans.tests);
    move_to_end(heights_, orphans.heights);
    text.append(std::move(orphans.text));
    move_to_end(notes_, orphans.notes);
    incomplete_ = incomplete_ || orphans.incomplete;
    failed_ = failed_ || orphans.failed;
    if (!bail_out)
        bail_out = std::move(orphans.bail_out);
    if (!skip)
        skip = std::move(orphans.skip);
}

bool Scope::may_be_glued(std::string_view content) const {
    return is_ktap && !is_runner && !glued_ && glued_result(content, last_number_ + 1);
}

void Scope::expect_glued(std::string_view content, bool in_result, std::size_t inner_before) {
    if (!may_be_glued(content))
        return;
    if (const auto at = glued_result(content, last_number_ + 1))
        glued_ = Glued{last_number_ + 1, std::string(content), *at,
                       tests.size(),     inner_before,         in_result};
}

void Scope::prove_glued(std::optional<std::uint64_t> next_number, Closed& inner) {
    if (!glued_)
        return;
    const Glued glued = *std::exchange(glued_, {});
    // Either the next result has the number after it, or it is the last one that the plan awaits.
    const bool proved = next_number ? *next_number == glued.number + 1
                                    : tally.awaited() == std::optional<std::uint64_t>(1);
    if (!proved || last_number_ + 1 != glued.number)
        return;
    const std::string_view content = glued.content;
    if (glued.in_result && glued.tests_before == tests.size() && !tests.empty()) {
        if (const auto torn = read_result(content.substr(0, glued.at))) {
            Test& before = tests.back();
            const bool plain = before.effective == before.status;
            Test fresh;
            describe(fresh, *torn, results_);
            before.name = fresh.name;
            before.status = fresh.status;
            before.reason = fresh.reason;
            if (plain)
                before.effective = fresh.effective;
        }
    }
    if (const auto line = read_result(content.substr(glued.at)))
        add(*line, inner.take_front(glued.inner_before));
}

Closed in_subtest(Closed&& inner) {
    if (!inner.subtest)
        return std::move(inner);
    Scope parent(0);
    parent.add_missing(*std::exchange(inner.subtest, {}), std::move(inner));
    return parent.close();
}

void Scope::version() {
    count_unnumbered();
    is_ktap = true;
    tally.version();
}

void Scope::plan(const PlanLine& line) {
    count_unnumbered();
    is_ktap = true;
    tally.plan(line.count);
    if (subtest)
        subtest->planned = true;
    if (line.skip && !skip)
        skip = shortened(*line.skip, Lines::line_bytes);
}

// Beside numbered results that alone meet the plan, an "ok" without number is a word.
void Scope::count_unnumbered() {
    const bool words = tally.seen() > 0 && tally.awaited() == 0u;
    for (const std::size_t at : std::exchange(unnumbered_, {})) {
        if (words)
            words_.push_back(at);
        else
            tally.result();
    }
}

Closed Scope::close() {
    count_unnumbered();
    for (const std::size_t at : words_)
        if (tests[at].children.empty())
            tests[at].status.clear(); // marked, for one pass over all
    if (!words_.empty()) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < tests.size(); ++i)
            if (!tests[i].status.empty())
                heights_[kept++] = heights_[i];
        heights_.resize(kept);
        std::erase_if(tests, [](const Test& test) { return test.status.empty(); });
    }
    harness.join(tests);
    heights_.resize(tests.size(), 1);
    for (Test& test : tests)
        explain_failure(test);

    Tally::Outcome outcome = tally.finish(tests);
    move_to_end(notes_, outcome.notes);
    Closed closed;
    closed.tests = std::move(tests);
    closed.heights = std::move(heights_);
    closed.text = std::move(text);
    closed.bail_out = std::move(bail_out);
    closed.skip = std::move(skip);
    if (subtest && column > 0)
        closed.subtest = std::move(subtest->name);
    closed.incomplete = outcome.incomplete || incomplete_;
    closed.failed = outcome.failed || failed_;
    closed.notes = std::move(notes_);
    return closed;
}

} // namespace kmatrix::ktap

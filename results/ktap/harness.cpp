// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/harness.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace kmatrix::ktap {
namespace {

constexpr std::string_view timed_out = ": Test terminated by timeout";

bool is_name(std::string_view text) {
    return !text.empty() && text.find_first_of(" \t") == std::string_view::npos;
}

// "FILE:LINE:TEST:words"; gives the words.
std::optional<std::string_view> logged_words(std::string_view line) {
    const std::size_t file = line.find(':');
    if (file == 0 || file == std::string_view::npos || line.substr(0, file).find(' ') < file)
        return {};
    const std::size_t number = line.find(':', file + 1);
    if (number == std::string_view::npos || number == file + 1 ||
        line.substr(file + 1, number - file - 1).find_first_not_of("0123456789") !=
            std::string_view::npos)
        return {};
    const std::size_t test = line.find(':', number + 1);
    if (test == std::string_view::npos || !is_name(line.substr(number + 1, test - number - 1)))
        return {};
    return line.substr(test + 1);
}

// The harness's log names its tests in short: "read" for "proc.maps.read".
bool is_timeout_of(std::string_view line, std::string_view test) {
    if (!line.ends_with(timed_out))
        return false;
    const std::string_view name = line.substr(0, line.size() - timed_out.size());
    return !name.empty() && test.ends_with(name) &&
           (test.size() == name.size() || test[test.size() - name.size() - 1] == '.');
}

// The line of a failure that says most: a failed expectation of the harness or of KUnit.
std::string assertion(const std::vector<std::string>& lines) {
    const std::string* logged = nullptr;
    for (const std::string& line : lines) {
        if (line.find("EXPECTATION FAILED at ") != std::string::npos ||
            line.find("ASSERTION FAILED at ") != std::string::npos)
            return line;
        const auto words = logged_words(line);
        if (words && words->starts_with("Expected "))
            return line;
        if (words || line.find(": Test terminated ") != std::string::npos)
            logged = &line; // the last of them, if nothing says more
    }
    return logged == nullptr ? std::string() : *logged;
}

} // namespace

std::optional<HarnessLine> read_harness(std::string_view content) {
    using Kind = HarnessLine::Kind;
    struct Form {
        std::string_view word;
        Kind kind;
    };
    constexpr std::string_view dots = " ...";
    if (content.starts_with("[ ")) {
        for (const Form form : {Form{"[ RUN      ] ", Kind::run}, Form{"[       OK ] ", Kind::ok},
                                Form{"[     FAIL ] ", Kind::fail}}) {
            if (!content.starts_with(form.word))
                continue;
            const std::string_view name = trim(content.substr(form.word.size()));
            if (is_name(name))
                return HarnessLine{form.kind, name, true};
        }
        return {};
    }
    for (const Form form : {Form{"RUN           ", Kind::run}, Form{"OK  ", Kind::ok},
                            Form{"FAIL  ", Kind::fail}, Form{"SKIP      ", Kind::skip}}) {
        if (!content.starts_with(form.word))
            continue;
        std::string_view text = trim(content.substr(form.word.size()));
        if (form.kind == Kind::run) {
            if (!text.ends_with(dots))
                return {};
            text.remove_suffix(dots.size());
        }
        if (form.kind == Kind::skip || is_name(text))
            return HarnessLine{form.kind, text, false};
    }
    return {};
}

bool Harness::take(const HarnessLine& line) {
    if (line.kind == HarnessLine::Kind::run) {
        running_ = runs_.size();
        latest_[std::string(line.text)] = runs_.size();
        runs_.push_back({std::string(line.text), {}, {}, {}});
        return true;
    }
    if (line.kind == HarnessLine::Kind::skip) {
        if (running_)
            runs_[*running_].skip = line.text;
        return running_.has_value();
    }
    const auto found = latest_.find(std::string(line.text));
    if (found == latest_.end())
        return false;
    runs_[found->second].status = line.kind == HarnessLine::Kind::ok ? "pass" : "fail";
    if (running_ == found->second)
        running_.reset();
    return true;
}

void Harness::reported(std::string_view name) {
    if (running_ && runs_[*running_].name == name)
        running_.reset();
}

bool Harness::take_text(std::string_view text) {
    if (!running_)
        return false;
    runs_[*running_].lines.add(text);
    return true;
}

void Harness::join(std::vector<Test>& tests) {
    if (runs_.empty())
        return;
    // Of two runs with one name the first belongs to the first result.
    std::unordered_map<std::string, std::vector<std::size_t>> by_name; // last one first
    for (std::size_t i = tests.size(); i-- > 0;)
        by_name[tests[i].name].push_back(i);
    const auto next = [&](const std::string& name) -> Test* {
        const auto found = by_name.find(name);
        if (found == by_name.end() || found->second.empty())
            return nullptr;
        Test& test = tests[found->second.back()];
        found->second.pop_back();
        return &test;
    };
    std::vector<Test> added;
    for (Run& run : runs_) {
        Test* test = next(run.name);
        // In older harnesses a skipped test's line has the reason where its name should be.
        if (test == nullptr && !run.skip.empty()) {
            test = next(run.skip);
            if (test != nullptr) {
                test->name = run.name;
                test->reason = run.skip;
            }
        }
        if (test == nullptr) {
            Test unreported;
            unreported.name = run.name;
            unreported.status = run.status.empty() ? "missing" : run.status;
            if (!run.skip.empty() && unreported.status == "pass")
                unreported.status = "skip";
            unreported.effective = unreported.status;
            unreported.reason = run.skip;
            added.push_back(std::move(unreported));
            test = &added.back();
        }
        for (std::string& line : run.lines.take())
            test->diagnostics.push_back(std::move(line));
    }
    for (Test& test : added)
        tests.push_back(std::move(test));
    *this = {};
}

void explain_failure(Test& test) {
    if (test.status != "fail")
        return;
    if (std::any_of(test.diagnostics.begin(), test.diagnostics.end(),
                    [&](const std::string& line) { return is_timeout_of(line, test.name); }))
        test.effective = "timeout";
    if (test.reason.empty())
        test.reason = assertion(test.diagnostics);
}

} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/grammar.h"

#include <charconv>
#include <limits>
#include <string>

#include "base/text.h"
#include "results/ktap/line.h"

namespace kmatrix::ktap {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_space(char c) {
    return c == ' ' || c == '\t';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::size_t skip_spaces(std::string_view text, std::size_t at = 0) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return at;
}

// Takes digits off the front; a number too large for its type is the largest.
std::optional<std::uint64_t> take_number(std::string_view& text) {
    const std::size_t end = skip_digits(text, 0);
    if (end == 0)
        return {};
    std::uint64_t number = 0;
    if (std::from_chars(text.data(), text.data() + end, number).ec != std::errc())
        number = std::numeric_limits<std::uint64_t>::max();
    text.remove_prefix(end);
    return number;
}

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

constexpr std::string_view runner_word = "selftests: ";

// How sure it is that the word behind a '#' is meant as a directive.
enum class Form { spaced, tight, runner };

// The status that a directive gives, or nothing if the word is none. TAP takes any case and any
// word that begins with SKIP; lowercase words on an ok line are only taken where TAP itself would,
// since "ok 3 poll # timeout 5 ms" and "ok 4 read # error expected" are notes on a pass.
std::optional<std::string_view> directive(std::string_view word, bool ok, Form form) {
    const std::string shouted = upper(word);
    const bool is_upper = shouted == word;
    if (shouted == "SKIP" || shouted == "SKIPPED" ||
        (shouted.starts_with("SKIP") && (is_upper || form == Form::runner)))
        return "skip";
    if (shouted == "TODO")
        return ok ? "xpass" : "xfail";
    if (form == Form::tight)
        return {};
    if (shouted == "XFAIL" || shouted == "XFAILED")
        return "xfail";
    if (shouted == "XPASS" || shouted == "XPASSED")
        return "xpass";
    if (!is_upper && ok)
        return {};
    if (shouted == "TIMEOUT")
        return "timeout";
    if (shouted == "ERROR")
        return "error";
    return {};
}

struct Word {
    std::string_view text;
    std::size_t end = 0; // in what it was read from, behind it and what belongs to it
};

// The word at `at`, spaces before it skipped: "SKIP", "[SKIP]", "SKIP:", "SKIP -".
Word word_at(std::string_view text, std::size_t at) {
    constexpr std::size_t longest = 16;
    std::size_t begin = skip_spaces(text, at);
    const bool bracket = begin < text.size() && text[begin] == '[';
    if (bracket)
        ++begin;
    std::size_t end = begin;
    while (end < text.size() && end - begin < longest && is_letter(text[end]))
        ++end;
    Word word{text.substr(begin, end - begin), end};
    if (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_'))
        word.text = {}; // a longer word
    if (bracket && word.end < text.size() && text[word.end] == ']')
        ++word.end;
    if (word.end < text.size() && text[word.end] == ':')
        ++word.end;
    else if (text.substr(word.end, 3) == " - ")
        word.end += 3;
    return word;
}

bool is_exit(std::string_view text) {
    return text.starts_with("exit=") && text.size() > 5 && is_digit(text[5]);
}

// Splits "name # DIRECTIVE reason" (the spec's form), "# DIRECTIVE name", "name #  diagnostic".
void read_description(std::string_view text, ResultLine& line) {
    line.status = line.ok ? "pass" : "fail";
    std::size_t name_end = std::string_view::npos; // the first " # "
    for (std::size_t at = text.find('#'); at != std::string_view::npos;
         at = text.find('#', at + 1)) {
        const bool left = at == 0 || is_space(text[at - 1]);
        const bool right = at + 1 == text.size() || is_space(text[at + 1]);
        if (at > 0 && text[at - 1] == '\\') // TAP 14's escape
            continue;
        if (left && right && name_end == std::string_view::npos)
            name_end = at;
        const Word word = word_at(text, at + 1);
        const std::string_view after = text.substr(skip_spaces(text, at + 1));
        if (left && is_exit(after)) {
            line.reason = after;
        } else if (!(left || (right && upper(word.text) == word.text)) || word.text.empty()) {
            continue;
        } else if (const auto status =
                       directive(word.text, line.ok, right ? Form::spaced : Form::tight)) {
            line.status = *status;
            line.reason = trim(text.substr(word.end));
        } else {
            continue;
        }
        line.name = trim(text.substr(0, std::min(name_end, at)));
        // "not ok 3 # TIMEOUT 45 seconds" and "not ok 3 # exit=1" are never followed by a name
        if (line.name.empty() && line.status != "timeout" && !is_exit(after)) {
            line.name = line.reason;
            line.reason = {};
            line.name_after_directive = true;
            const std::size_t hash = line.name.find(" # ");
            if (hash != std::string_view::npos) {
                line.reason = trim(line.name.substr(hash + 3));
                line.name = trim(line.name.substr(0, hash));
            }
        }
        return;
    }
    line.name = trim(text.substr(0, name_end));
    if (name_end != std::string_view::npos)
        line.reason = trim(text.substr(name_end + 1));
}

// "TARGET: TEST" at the front of the text; else its first word (runners before Linux 5.2).
std::size_t runner_name(std::string_view text) {
    const auto word_end = [&](std::size_t at) {
        while (at < text.size() && !is_space(text[at]) && text[at] != '#')
            ++at;
        return at;
    };
    const std::size_t first = word_end(0);
    if (first == 0 || text[first - 1] != ':')
        return first;
    const std::size_t begin = skip_spaces(text, first);
    const std::size_t second = begin < text.size() && text[begin] == '[' ? begin : word_end(begin);
    return second > begin ? second : first;
}

// What follows "selftests: ". The runner's names have no spaces and its directives a fixed form, so
// whatever comes behind them was glued on ("# exit=1   make[1]: Leaving directory").
void read_runner(std::string_view text, ResultLine& line) {
    line.runner = true;
    line.status = line.ok ? "pass" : "fail";
    text.remove_prefix(skip_spaces(text));
    const std::size_t end = runner_name(text);
    line.name = text.substr(0, end);
    std::string_view rest = trim(text.substr(end));
    if (rest.empty())
        return;
    const bool bracket = rest[0] == '['; // "[PASS]", "[FAIL]", "[SKIP]" of older runners
    if (rest[0] != '#' && !bracket) {
        line.rest = rest;
        return;
    }
    const std::string_view after = trim(rest.substr(bracket ? 0 : 1));
    if (is_exit(after)) {
        const std::size_t digits = skip_digits(after, 5);
        line.reason = after.substr(0, digits);
        line.rest = trim(after.substr(digits));
        return;
    }
    const Word word = word_at(rest, bracket ? 0 : 1);
    const auto status = directive(word.text, line.ok, Form::runner);
    if (status)
        line.status = *status;
    std::string_view reason = trim(status || bracket ? rest.substr(word.end) : after);
    std::size_t cut = reason.find("    ");
    if (status == "timeout") {
        constexpr std::string_view unit = "seconds";
        const std::size_t seconds = reason.find(unit);
        cut = seconds == std::string_view::npos ? cut : seconds + unit.size();
    }
    line.reason = reason.substr(0, cut);
    if (cut < reason.size())
        line.rest = trim(reason.substr(cut));
}

} // namespace

std::optional<ResultLine> read_result(std::string_view content) {
    ResultLine line;
    std::string_view text = content;
    line.ok = true;
    if (take(text, "not") && !text.empty() && is_space(text[0])) {
        line.ok = false;
        text.remove_prefix(skip_spaces(text));
    } else {
        text = content;
    }
    if (!take(text, "ok") || (!text.empty() && !is_space(text[0]) && text[0] != '#'))
        return {};
    text.remove_prefix(skip_spaces(text));

    std::string_view behind = text;
    if (const auto number = take_number(behind)) {
        // "1..3" is how runners before Linux 5.2 numbered their results
        if (std::string_view range = behind; take(range, "..") && take_number(range))
            behind = range;
        if (behind.empty() || is_space(behind[0]) || behind[0] == '#' || behind[0] == ':') {
            line.number = number;
            text = behind.substr(behind.starts_with(':') ? 1 : 0);
            text.remove_prefix(skip_spaces(text));
        }
    }
    if (const std::size_t stamp = inner_stamp(text); stamp != std::string_view::npos) {
        line.rest = text.substr(stamp);
        text = text.substr(0, stamp);
    }
    text = trim(text);
    if (take(text, "- ") || text == "-")
        text = trim(text == "-" ? std::string_view() : text);
    const std::string_view glued = line.rest;

    // NIPA's runners number twice: "ok 1 1 selftests: …"
    std::string_view runner = text;
    if (take_number(runner))
        runner.remove_prefix(skip_spaces(runner));
    if (take(runner, runner_word)) {
        read_runner(runner, line);
        if (!glued.empty() && line.rest.empty())
            line.rest = glued;
        return line;
    }
    read_description(text, line);
    if (std::string_view name = line.name; take(name, runner_word)) {
        const std::size_t end = runner_name(name);
        if (name.substr(0, end).find(": ") != std::string_view::npos) {
            line.runner = true;
            line.name = name.substr(0, end);
        }
    }
    return line;
}

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
    take(content, "Totals: ");
    TotalsLine totals;
    bool pass = false;
    while (!content.empty()) {
        std::size_t end = 0;
        while (end < content.size() && is_letter(content[end]))
            ++end;
        const std::string word = upper(content.substr(0, std::min<std::size_t>(end, 16)));
        content.remove_prefix(end);
        if (word.empty() || (!take(content, ":") && !take(content, " ")))
            return {};
        const auto number = take_number(content);
        if (!number || (!pass && word != "PASS"))
            return {};
        pass = true;
        if (word != "TOTAL")
            totals.all += *number;
        if (word == "FAIL" || word == "ERROR")
            totals.failed += *number;
        content.remove_prefix(skip_spaces(content));
    }
    return pass ? std::optional(totals) : std::nullopt;
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

std::vector<std::size_t> runner_results(std::string_view content) {
    std::vector<std::size_t> found;
    std::size_t floor = 0; // behind the result found last
    for (std::size_t at = content.find(runner_word); at != std::string_view::npos;
         at = content.find(runner_word, at + runner_word.size())) {
        // backwards: a space, one or two numbers, "ok ", perhaps "not "
        std::size_t begin = at;
        const auto spaces_back = [&] {
            const std::size_t end = begin;
            while (begin > floor && is_space(content[begin - 1]))
                --begin;
            return begin < end;
        };
        const auto number_back = [&] {
            const std::size_t end = begin;
            while (begin > floor && (is_digit(content[begin - 1]) || content[begin - 1] == '.'))
                --begin;
            return begin < end;
        };
        const auto word_back = [&](std::string_view word) {
            if (begin < floor + word.size() ||
                content.substr(begin - word.size(), word.size()) != word)
                return false;
            begin -= word.size();
            return true;
        };
        spaces_back();
        if (!number_back() || !spaces_back())
            continue;
        if (number_back() && !spaces_back())
            continue;
        if (!word_back("ok"))
            continue;
        const std::size_t ok = begin;
        if (!spaces_back() || !word_back("not"))
            begin = ok;
        found.push_back(begin);
        floor = at + runner_word.size();
    }
    return found;
}

std::optional<std::size_t> glued_result(std::string_view content, std::uint64_t number) {
    const std::string needle = "ok " + std::to_string(number);
    for (std::size_t at = content.find(needle, 1); at != std::string_view::npos;
         at = content.find(needle, at + 1)) {
        const std::size_t end = at + needle.size();
        if (end < content.size() && !is_space(content[end]))
            continue;
        return at >= 4 && content.substr(at - 4, 4) == "not " ? at - 4 : at;
    }
    return {};
}

} // namespace kmatrix::ktap

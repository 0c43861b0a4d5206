// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/result_line.h"

#include <algorithm>

#include "base/text.h"
#include "results/ktap/line.h"
#include "results/ktap/words.h"

namespace kmatrix::ktap {
namespace {

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
        // "1..3" is how older runners number their results
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

namespace {

// Where the next runner_word is; by its ':', which is rare in what most lines say.
std::size_t next_runner_word(std::string_view content, std::size_t from) {
    constexpr std::size_t before = runner_word.find(':');
    for (std::size_t colon = content.find(':', from + before); colon != std::string_view::npos;
         colon = content.find(':', colon + 1))
        if (content.substr(colon - before).starts_with(runner_word))
            return colon - before;
    return std::string_view::npos;
}

} // namespace

std::vector<std::size_t> runner_results(std::string_view content) {
    std::vector<std::size_t> found;
    std::size_t floor = 0; // behind the result found last
    for (std::size_t at = next_runner_word(content, 0); at != std::string_view::npos;
         at = next_runner_word(content, at + runner_word.size())) {
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

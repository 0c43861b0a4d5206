// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/describe.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.h"
#include "results/console/pattern.h"
#include "results/console/stack.h"

namespace kmatrix {

namespace {

constexpr std::size_t longest_title = 120;
constexpr std::size_t deepest_stack = 64;
constexpr std::size_t most_shown_lines = 150;

// Where lockdep says that locks were taken: "(&q->lock){+.+.}-{3:3}, at: foo+0x12/0x34", with an
// address in brackets before the function on older kernels. First the lock that is being taken,
// then the one that is held; if only a helper took the first, whoever holds the second says more.
std::optional<Symbol> lock_place(std::span<const ConsoleLine> lines) {
    std::optional<Symbol> first;
    bool deadlock = false;
    for (const auto& line : lines) {
        const auto at = line.text.find(", at: ");
        if (at == std::string::npos) {
            deadlock = deadlock || line.text.starts_with("but task is already holding");
            continue;
        }
        auto rest = std::string_view(line.text).substr(at + 6);
        if (rest.starts_with("[<")) {
            const auto close = rest.find(">]");
            rest =
                close == std::string_view::npos ? std::string_view() : trim(rest.substr(close + 2));
        }
        const auto symbol = parse_symbol(rest);
        if (first && !deadlock) {
            break;
        }
        if (symbol && !is_helper(canonical_function(symbol->name), Fault::access)) {
            return symbol;
        }
        if (first) {
            break;
        }
        first = symbol;
    }
    return first;
}

// The work item that a workqueue names: "last function: foo", from 6.11 on "workfn=foo".
std::optional<Symbol> work_function(std::span<const ConsoleLine> lines) {
    for (const auto& line : lines) {
        for (const std::string_view word : {"last function: ", "workfn="}) {
            const auto at = line.text.find(word);
            if (at == std::string::npos) {
                continue;
            }
            if (auto symbol = parse_symbol(std::string_view(line.text).substr(at + word.size()))) {
                return symbol;
            }
        }
    }
    return std::nullopt;
}

std::string first_safe_taker(std::span<const Stack> stacks) {
    for (const auto& stack : stacks) {
        if (stack.kind == StackKind::safe_side) {
            for (const auto& frame : stack.frames) {
                if (!is_helper(frame.function, Fault::access)) {
                    return frame.function;
                }
            }
        }
    }
    return {};
}

// The named function unless it is a helper, then the stack's; a helper is better than nothing.
std::string named_or_innermost(const std::optional<Symbol>& symbol, std::span<const Stack> stacks,
                               Fault fault) {
    std::string named = symbol ? canonical_function(symbol->name) : std::string();
    if (!named.empty() && !is_helper(named, fault)) {
        return named;
    }
    std::string inner = innermost(stacks, fault);
    return inner.empty() ? named : inner;
}

std::string function_at_fault(const Rule& rule, const Captures& captures,
                              std::span<const ConsoleLine> lines, std::span<const Stack> stacks) {
    const auto named =
        captures.functions.empty() ? std::nullopt : std::optional(captures.functions.front());
    switch (rule.from) {
    case From::header:
        return named_or_innermost(named, stacks, rule.fault);
    case From::trace:
        return innermost(stacks, rule.fault);
    case From::entry:
        return entry_point(stacks);
    case From::lock:
        return named_or_innermost(lock_place(lines), stacks, rule.fault);
    case From::work:
        return named_or_innermost(work_function(lines), stacks, rule.fault);
    case From::safe_side: {
        const auto taker = first_safe_taker(stacks);
        return taker.empty() ? named_or_innermost(lock_place(lines), stacks, rule.fault) : taker;
    }
    case From::nowhere:
    case From::line:
        return {};
    }
    return {};
}

// At most so many bytes, whole characters.
void cut(std::string& text, std::size_t most) {
    if (text.size() <= most) {
        return;
    }
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0u) == 0x80u) {
        --most;
    }
    text.resize(most);
}

std::string_view access_of(std::span<const ConsoleLine> lines) {
    for (const auto& line : lines) {
        const auto text = trim(line.text);
        if (text.starts_with("Read of size") || text.starts_with("Read at addr")) {
            return " Read";
        }
        if (text.starts_with("Write of size") || text.starts_with("Write at addr")) {
            return " Write";
        }
    }
    return {};
}

std::string fill_in(std::string_view recipe, const Captures& captures,
                    std::span<const ConsoleLine> lines) {
    std::string title;
    while (!recipe.empty()) {
        const auto dollar = recipe.find('$');
        title += recipe.substr(0, dollar);
        recipe.remove_prefix(std::min(dollar, recipe.size()));
        if (recipe.starts_with("$access")) {
            title += access_of(lines);
            recipe.remove_prefix(7);
        } else if (recipe.starts_with("$next")) {
            title += lines.size() > 1 ? stable_text(lines[1].text) : std::string();
            recipe.remove_prefix(5);
        } else if (recipe.size() > 1) {
            const auto number = static_cast<std::size_t>(recipe[1] - '1');
            if (number < captures.texts.size()) {
                title += stable_text(captures.texts[number]);
            }
            recipe.remove_prefix(2);
        }
    }
    return title;
}

// Up to the last line that only a report has, and no more than a reader wants.
std::vector<std::string> shown_lines(std::span<const ConsoleLine> lines, std::size_t heading) {
    std::size_t end = heading + 1;
    for (std::size_t i = end; i < lines.size(); ++i) {
        if (lines[i].of_report) {
            end = i + 1;
        }
    }
    std::vector<std::string> shown;
    for (const auto& line : lines.first(std::min(end, most_shown_lines))) {
        shown.push_back(line.shown);
    }
    return shown;
}

} // namespace

Finding describe_report(const Rule& rule, std::span<const ConsoleLine> lines, std::size_t heading,
                        std::size_t offset) {
    const auto from_heading = lines.subspan(heading);
    const std::string_view text = std::string_view(lines[heading].text).substr(offset);
    const auto captures = match_pattern(rule.pattern, text).value_or(Captures{});
    const auto stacks = find_stacks(from_heading);

    Rule meant = rule;
    if (rule.klass == "warning") {
        if (const auto api = warning_file(text)) {
            meant.klass = api->klass;
            meant.title = api->title;
            meant.fault = Fault::misuse;
        }
    }
    Finding finding;
    finding.klass = meant.klass;
    finding.title = fill_in(meant.title, captures, from_heading);
    if (trim(finding.title).empty()) // of a line that lost its words
        finding.title = meant.klass;
    finding.function = common_name(function_at_fault(meant, captures, from_heading, stacks));
    if (captures.functions.size() == 2) { // a race: which of the two is printed first is chance
        auto one = canonical_function(captures.functions[0].name);
        auto other = canonical_function(captures.functions[1].name);
        if (other < one) {
            std::swap(one, other);
        }
        finding.function = one;
        finding.title += " in " + one + " / " + other;
    } else if (!finding.function.empty()) {
        finding.title += " in " + finding.function;
    }
    cut(finding.title, longest_title);

    for (const auto& stack : stacks) {
        if (stack.kind == StackKind::fault && !stack.frames.empty()) {
            for (const auto& frame : stack.frames) {
                if (finding.stack.size() < deepest_stack &&
                    (finding.stack.empty() || finding.stack.back() != frame.function)) {
                    finding.stack.push_back(frame.function);
                }
            }
            break;
        }
    }
    finding.lines = shown_lines(lines, heading);
    finding.line = lines.front().number;
    return finding;
}

} // namespace kmatrix

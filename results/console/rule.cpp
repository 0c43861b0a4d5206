// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/rule.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/text.h"
#include "results/console/console_line.h"
#include "results/console/pattern.h"
#include "results/console/rule_tables.h"
#include "results/console/wake_words.h"

namespace kmatrix {

namespace {

// Lines that are not empty.
std::vector<std::string_view> rows(std::string_view table) {
    std::vector<std::string_view> result;
    while (!table.empty()) {
        const auto end = std::min(table.find('\n'), table.size());
        if (end > 0) {
            result.push_back(table.substr(0, end));
        }
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return result;
}

// What stands between separators. One blank after a separator and those before it are layout; a
// blank at the very end of a row is meant.
std::vector<std::string_view> fields(std::string_view row, char separator) {
    std::vector<std::string_view> result;
    for (bool last = false; !last;) {
        const auto end = std::min(row.find(separator), row.size());
        last = end == row.size();
        auto field = row.substr(0, end);
        field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
        if (!last) {
            field = trim(field);
            row.remove_prefix(end + 1);
        }
        result.push_back(field);
    }
    return result;
}

template <class Enum, std::size_t size>
Enum named(const std::array<std::pair<std::string_view, Enum>, size>& names,
           std::string_view name) {
    const auto* found = std::find_if(names.begin(), names.end(),
                                     [&](const auto& each) { return each.first == name; });
    assert(found != names.end());
    return found->second;
}

constexpr std::array<std::pair<std::string_view, RulePart>, 9> parts = {{
    {"head", RulePart::head},
    {"lead", RulePart::lead},
    {"trap", RulePart::trap},
    {"maybe", RulePart::maybe},
    {"cut", RulePart::cut},
    {"note", RulePart::note},
    {"panic", RulePart::panic},
    {"boot", RulePart::boot},
    {"farewell", RulePart::farewell},
}};

constexpr std::array<std::pair<std::string_view, Place>, 3> places = {{
    {"start", Place::start},
    {"word", Place::after_word},
    {"any", Place::anywhere},
}};

constexpr std::array<std::pair<std::string_view, From>, 8> froms = {{
    {"header", From::header},
    {"trace", From::trace},
    {"entry", From::entry},
    {"lock", From::lock},
    {"work", From::work},
    {"safe_side", From::safe_side},
    {"nowhere", From::nowhere},
    {"line", From::line},
}};

constexpr std::array<std::pair<std::string_view, Fault>, 5> faults = {{
    {"access", Fault::access},
    {"hung", Fault::hung},
    {"misuse", Fault::misuse},
    {"leak", Fault::leak},
    {"race", Fault::race},
}};

void set_wakes(Rule& rule, std::string_view words) {
    rule.wakes = words.empty() ? std::vector{rule.pattern.substr(0, rule.pattern.find('%'))}
                               : fields(words, ';');
    for ([[maybe_unused]] const auto word : rule.wakes) {
        assert(word.size() >= 4);
    }
}

std::vector<Rule> read_tables() {
    std::vector<Rule> result;
    for (const auto row : rows(rule_tables::ignored)) {
        const auto columns = fields(row, '|');
        assert(columns.size() == 3);
        Rule rule;
        rule.part = RulePart::ignored;
        rule.place = named(places, columns[0]);
        rule.pattern = columns[1];
        rule.reason = columns[2];
        set_wakes(rule, {});
        result.push_back(std::move(rule));
    }
    for (const auto table : {rule_tables::panics, rule_tables::sanitizers, rule_tables::oopses,
                             rule_tables::bugs, rule_tables::locking, rule_tables::hangs,
                             rule_tables::memory, rule_tables::general, rule_tables::boots}) {
        for (const auto row : rows(table)) {
            const auto columns = fields(row, '|');
            assert(columns.size() == 3 || columns.size() == 4);
            std::vector<std::string_view> words;
            for (const auto word : fields(columns[0], ' ')) {
                if (!word.empty()) {
                    words.push_back(word);
                }
            }
            assert(words.size() == 5);
            Rule rule;
            rule.part = named(parts, words[0]);
            rule.place = named(places, words[1]);
            rule.klass = words[2];
            rule.from = named(froms, words[3]);
            rule.fault = named(faults, words[4]);
            rule.title = columns[1];
            rule.pattern = columns[2];
            set_wakes(rule, columns.size() == 4 ? columns[3] : std::string_view());
            result.push_back(std::move(rule));
        }
    }
    return result;
}

// Which rules each word wakes, in the words' order.
struct Index {
    WakeWords words;
    std::vector<std::vector<std::size_t>> rules;
};

const Index& index() {
    static const Index built = [] {
        Index result;
        const auto& all = rules();
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (const auto word : all[i].wakes) {
                const std::size_t number = result.words.add(word);
                result.rules.resize(std::max(result.rules.size(), number + 1));
                result.rules[number].push_back(i);
            }
        }
        return result;
    }();
    return built;
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// "DEBUG: " has no "BUG: " in it, but "testingBUG: " is two messages, one torn.
bool in_word(char before, char first) {
    return before == '_' || (is_lower(before) && is_lower(first)) ||
           (is_upper(before) && is_upper(first));
}

// Where the pattern is to be tried, for a word found at `hit`; npos if it may not stand there.
std::size_t place_of(const Rule& rule, std::string_view message, std::size_t start,
                     std::size_t hit) {
    static constexpr std::array<std::string_view, 4> level_words = {
        "WARNING: ", "INFO: ", "BUG: ", "[ "};
    const bool at_hit = rule.pattern.starts_with(message.substr(hit, 4));
    switch (rule.place) {
    case Place::start:
        return at_hit && hit != start ? std::string_view::npos : start;
    case Place::anywhere:
        return hit > 0 && in_word(message[hit - 1], message[hit]) ? std::string_view::npos : hit;
    case Place::after_word:
        for (const auto word : level_words) {
            const auto found = message.substr(0, hit).rfind(word);
            if (found != std::string_view::npos && (!at_hit || found + word.size() == hit)) {
                return found + word.size();
            }
        }
        return std::string_view::npos;
    }
    return std::string_view::npos;
}

bool has_any(std::string_view text, const std::vector<std::string_view>& words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    });
}

} // namespace

const std::vector<Rule>& rules() {
    static const std::vector<Rule> read = read_tables();
    return read;
}

std::optional<RuleMatch> match_rule(std::string_view message) {
    constexpr std::size_t longest_message = 1024; // printk's own limit, LOG_LINE_MAX
    constexpr std::size_t most_hits = 32;
    message = message.substr(0, longest_message);
    const auto start = message.size() - without_subsystem(message).size();
    std::size_t best = rules().size();
    RuleMatch match;
    std::size_t hits = 0;
    index().words.for_each(message, [&](std::size_t word, std::size_t hit) {
        ++hits;
        for (const auto candidate : index().rules[word]) {
            if (candidate >= best || hits > most_hits) {
                return;
            }
            const Rule& rule = rules()[candidate];
            const auto offset = place_of(rule, message, start, hit);
            if (offset != std::string_view::npos &&
                match_pattern(rule.pattern, message.substr(offset))) {
                best = candidate;
                match = {&rule, offset};
                return;
            }
        }
    });
    if (match.rule == nullptr) {
        return std::nullopt;
    }
    return match;
}

std::size_t find_wake(std::string_view text) {
    return index().words.find(text);
}

bool is_consequence(std::string_view panic) {
    static const auto words = rows(rule_tables::consequences);
    return has_any(panic, words);
}

bool reads_like_a_note(std::string_view text) {
    static const auto words = rows(rule_tables::note_words);
    constexpr std::ptrdiff_t most_blanks = 3; // after "WARNING:"
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::count(lower.begin(), lower.end(), ' ') > most_blanks || has_any(lower, words);
}

std::optional<WarningFile> warning_file(std::string_view line) {
    static const auto table = [] {
        std::vector<std::array<std::string_view, 3>> result;
        for (const auto row : rows(rule_tables::warning_files)) {
            const auto columns = fields(row, '|');
            assert(columns.size() == 3);
            result.push_back({columns[0], columns[1], columns[2]});
        }
        return result;
    }();
    for (const auto& [klass, title, file] : table) {
        const auto found = line.find(file);
        if (found != std::string_view::npos && line.substr(found + file.size()).starts_with(":")) {
            return WarningFile{klass, title};
        }
    }
    return std::nullopt;
}

} // namespace kmatrix

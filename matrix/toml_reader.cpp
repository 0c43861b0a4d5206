// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/toml_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_kept = 500; // a file that is wrong in more places is no matrix file

std::string type_text(toml::node_type type) {
    switch (type) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::string:
        return "a string";
    case toml::node_type::integer:
        return "an integer";
    case toml::node_type::floating_point:
        return "a number with a fraction";
    case toml::node_type::boolean:
        return "a boolean";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
        return "a date or time";
    case toml::node_type::none:
        break;
    }
    return "nothing";
}

// At most so many bytes of it, cut between characters.
std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 60;
    if (text.size() <= longest)
        return printable(text);
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u)
        --cut;
    return printable(text.substr(0, cut)) + "...";
}

std::string one_line(const std::string& text) {
    std::string line;
    for (const char c : text)
        line += c == '\n' ? "\\n" : std::string(1, c);
    return line;
}

} // namespace

void Complaints::add(Place place, std::string_view key, std::string_view message) {
    if (lines_.size() == most_kept)
        return;
    std::string text(message);
    if (!key.empty())
        text = fmt::format("{}: {}", key, message);
    text = one_line(printable(text));
    // One value that is wrong in many cells is wrong once.
    const bool known = std::any_of(lines_.begin(), lines_.end(), [&](const Line& line) {
        return line.place == place && line.text == text;
    });
    if (!known)
        lines_.push_back({place, std::move(text)});
}

Error Complaints::error(const std::string& file) const {
    constexpr std::size_t most_shown = 20;
    std::vector<Line> sorted = lines_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Line& a, const Line& b) { return a.place < b.place; });
    std::vector<std::string> texts;
    for (const Line& line : sorted) {
        if (texts.size() == most_shown) {
            texts.push_back(sorted.size() == most_kept
                                ? fmt::format("{}: and many more", file)
                                : fmt::format("{}: and {} more", file, sorted.size() - most_shown));
            break;
        }
        texts.push_back(line.place ? fmt::format("{}:{}:{}: {}", file, line.place.line,
                                                 line.place.column, line.text)
                                   : fmt::format("{}: {}", file, line.text));
    }
    return Error{Blame::user, join(texts, "\n"), {}, {}};
}

std::string found_text(const toml::node& node) {
    if (const auto* text = node.as_string())
        return one_line(fmt::format("\"{}\"", shortened(text->get())));
    if (const auto* number = node.as_integer())
        return fmt::format("{}", number->get());
    if (const auto* number = node.as_floating_point()) {
        const std::string text = fmt::format("{}", number->get());
        return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    if (const auto* boolean = node.as_boolean())
        return boolean->get() ? "true" : "false";
    return type_text(node.type());
}

std::string found_is(const toml::node& node) {
    const std::string found = found_text(node), type = type_text(node.type());
    return found == type ? "is " + type : found + " is " + type;
}

TableReader::TableReader(const toml::table& table, std::string name, Complaints& complaints)
    : table_(&table), name_(std::move(name)), complaints_(&complaints) {}

const toml::node* TableReader::take(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
        known_.emplace_back(key);
    return table_->get(key);
}

Place TableReader::place(std::string_view key) const {
    const toml::node* node = table_->get(key);
    return node == nullptr ? place() : node->source().begin;
}

void TableReader::refuse(std::string_view key, std::string_view message) {
    complaints_->add(place(key), fmt::format("{}.{}", name_, key), message);
}

void TableReader::wrong_type(std::string_view key, const toml::node& node,
                             std::string_view expected) {
    refuse(key, fmt::format("{}, expected {}", found_is(node), expected));
}

std::optional<std::string> TableReader::text(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr)
        return std::nullopt;
    if (const auto* value = node->as_string())
        return value->get();
    wrong_type(key, *node, "a string");
    return std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key, std::int64_t least,
                                                 std::int64_t most, std::string_view meaning) {
    const toml::node* node = take(key);
    if (node == nullptr)
        return std::nullopt;
    const std::string expected = fmt::format("{} from {} to {}", meaning, least, most);
    if (const auto* value = node->as_integer()) {
        if (value->get() >= least && value->get() <= most)
            return value->get();
        refuse(key, fmt::format("{}: expected {}", value->get(), expected));
    } else {
        wrong_type(key, *node, expected);
    }
    return std::nullopt;
}

std::optional<double> TableReader::real(std::string_view key, double least, double most,
                                        std::string_view meaning) {
    const toml::node* node = take(key);
    if (node == nullptr)
        return std::nullopt;
    const std::string expected = fmt::format("{} from {} to {}", meaning, least, most);
    std::optional<double> number;
    if (const auto* value = node->as_floating_point())
        number = value->get();
    else if (const auto* whole = node->as_integer())
        number = static_cast<double>(whole->get());
    if (!number)
        wrong_type(key, *node, expected);
    else if (std::isfinite(*number) && *number >= least && *number <= most)
        return number;
    else
        refuse(key, fmt::format("{}: expected {}", found_text(*node), expected));
    return std::nullopt;
}

std::optional<bool> TableReader::boolean(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr)
        return std::nullopt;
    if (const auto* value = node->as_boolean())
        return value->get();
    wrong_type(key, *node, "true or false");
    return std::nullopt;
}

std::optional<std::string> TableReader::choice(std::string_view key,
                                               const std::vector<std::string>& choices) {
    std::optional<std::string> value = text(key);
    if (value && std::find(choices.begin(), choices.end(), *value) == choices.end()) {
        refuse(key, fmt::format("\"{}\": expected one of {}{}", shortened(*value),
                                join(choices, ", "), did_you_mean(*value, choices)));
        return std::nullopt;
    }
    return value;
}

std::optional<std::vector<Placed<std::string>>> TableReader::texts(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr)
        return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        wrong_type(key, *node, "a list of strings");
        return std::nullopt;
    }
    std::vector<Placed<std::string>> values;
    for (const toml::node& element : *list) {
        if (const auto* value = element.as_string())
            values.push_back({value->get(), element.source().begin});
        else
            complaints_->add(element.source().begin, fmt::format("{}.{}", name_, key),
                             found_is(element) + ", expected a string");
    }
    return values;
}

void TableReader::read(std::string_view key, std::string& out) {
    if (std::optional<std::string> value = text(key))
        out = std::move(*value);
}

void TableReader::read(std::string_view key, bool& out) {
    out = boolean(key).value_or(out);
}

void TableReader::read(std::string_view key, int& out, int least, int most,
                       std::string_view meaning) {
    out = static_cast<int>(integer(key, least, most, meaning).value_or(out));
}

void TableReader::read(std::string_view key, double& out, double least, double most,
                       std::string_view meaning) {
    out = real(key, least, most, meaning).value_or(out);
}

void TableReader::finish() {
    for (const auto& [key, node] : *table_) {
        const std::string name(key.str());
        if (std::find(known_.begin(), known_.end(), name) != known_.end())
            continue;
        const std::string prefix = name_.empty() ? "" : name_ + ".";
        const std::string near = did_you_mean(name, known_);
        complaints_->add(
            key.source().begin, prefix + shortened(name),
            fmt::format("unknown key{}",
                        near.empty() ? "; expected one of " + join(known_, ", ") : near));
    }
}

std::vector<const toml::table*> table_array(const toml::table& root, std::string_view key,
                                            std::size_t most, Complaints& complaints) {
    std::vector<const toml::table*> tables;
    const toml::node* node = root.get(key);
    if (node == nullptr)
        return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
        complaints.add(node->source().begin, key,
                       node->is_table()
                           ? fmt::format("[{}] is one table, expected [[{}]], of which there may "
                                         "be several",
                                         key, key)
                           : fmt::format("is {}, expected [[{}]]", type_text(node->type()), key));
        return tables;
    }
    if (list->size() > most) {
        complaints.add(node->source().begin, key,
                       fmt::format("{} of them, expected at most {}", list->size(), most));
        return tables;
    }
    for (const toml::node& element : *list) {
        if (element.is_table())
            tables.push_back(element.as_table());
        else
            complaints.add(element.source().begin, key,
                           fmt::format("{}, expected [[{}]]", found_is(element), key));
    }
    return tables;
}

const toml::table* single_table(const toml::table& root, std::string_view key,
                                Complaints& complaints) {
    const toml::node* node = root.get(key);
    if (node == nullptr || node->is_table())
        return node == nullptr ? nullptr : node->as_table();
    complaints.add(
        node->source().begin, key,
        fmt::format("is {}, expected the table [{}], once", type_text(node->type()), key));
    return nullptr;
}

} // namespace kmatrix

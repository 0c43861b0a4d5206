// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/filter.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/axis.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

constexpr std::string_view blanks = " \t\n\r";

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
}

// Takes one value off the text: quoted, or up to the next blank or comma.
Result<std::string> take_value(std::string_view& text, std::string_view axis) {
    if (!text.empty() && (text.front() == '\'' || text.front() == '"')) {
        const std::size_t end = text.find(text.front(), 1);
        if (end == std::string_view::npos)
            return user_error(fmt::format("{}: the quote {} is never closed", axis, text.front()));
        std::string value(text.substr(1, end - 1));
        text.remove_prefix(end + 1);
        return value;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\n\r,"), text.size());
    if (end == 0)
        return user_error(
            fmt::format("{}: expected a value, as {}=VALUE or {}=VALUE,VALUE", axis, axis, axis));
    std::string value(text.substr(0, end));
    text.remove_prefix(end);
    return value;
}

// The value as the axis shows it itself, so that "08" and "8" are one.
Result<std::string> canonical(const Axis& axis, const std::string& value) {
    if (axis.name == "config") // it may be the name of a file, wherever that is
        return config_name(value);
    Axes axes;
    if (const std::optional<std::string> expected = axis.set(axes, value))
        return user_error(fmt::format("{}: \"{}\": {}", axis.name, printable(value), *expected));
    return axis.show(axes);
}

std::vector<std::string> values_of(const Axis& axis, const std::vector<Cell>& cells) {
    std::vector<std::string> values;
    for (const Cell& cell : cells) {
        std::string value = axis.show(cell.axes);
        if (std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(std::move(value));
    }
    return values;
}

std::string in_quotes(const std::string& value) {
    const bool plain = !value.empty() && value.find_first_of(" ,\t'\"") == std::string::npos;
    if (plain)
        return value;
    return value.find('\'') == std::string::npos ? "'" + value + "'" : '"' + value + '"';
}

std::string list_in_quotes(const std::vector<std::string>& values, std::string_view separator) {
    std::vector<std::string> parts;
    for (const std::string& value : values)
        parts.push_back(in_quotes(value));
    return join(parts, separator);
}

} // namespace

bool Filter::matches(const Axes& axes) const {
    return std::all_of(values.begin(), values.end(), [&](const auto& wanted) {
        const Axis* axis = find_axis(wanted.first);
        return axis != nullptr && std::find(wanted.second.begin(), wanted.second.end(),
                                            axis->show(axes)) != wanted.second.end();
    });
}

Result<Filter> parse_filter(std::string_view text) {
    Filter filter;
    for (skip_blanks(text); !text.empty(); skip_blanks(text)) {
        const std::size_t equals = text.find('=');
        const std::string_view word = text.substr(0, text.find_first_of(blanks));
        if (equals == std::string_view::npos || equals >= word.size())
            return user_error(fmt::format("\"{}\": expected AXIS=VALUE[,VALUE...], as "
                                          "\"arch=arm64 vcpus=4,8\"",
                                          printable(word)));
        const std::string name(text.substr(0, equals));
        const Axis* axis = find_axis(name);
        if (axis == nullptr)
            return user_error(fmt::format("\"{}\": no such axis{} (there are {})", printable(name),
                                          did_you_mean(name, axis_names()),
                                          join(axis_names(), ", ")));
        if (filter.values.count(name) != 0)
            return user_error(
                fmt::format("{}: named twice; list its values: {}=VALUE,VALUE", name, name));
        std::vector<std::string>& values = filter.values[name];
        do {
            text.remove_prefix(values.empty() ? equals + 1 : 1);
            const Result<std::string> raw = take_value(text, name);
            if (!raw)
                return tl::unexpected(raw.error());
            Result<std::string> value = canonical(*axis, *raw);
            if (!value)
                return tl::unexpected(std::move(value).error());
            values.push_back(std::move(*value));
        } while (!text.empty() && text.front() == ',');
        if (!text.empty() && blanks.find(text.front()) == std::string_view::npos)
            return user_error(fmt::format("{}: expected a blank or a comma after {}", name,
                                          in_quotes(values.back())));
    }
    if (filter.values.empty())
        return user_error("names no axis; expected AXIS=VALUE[,VALUE...], as \"arch=arm64\"");
    return filter;
}

std::string to_string(const Filter& filter) {
    std::vector<std::string> parts;
    for (const Axis& axis : all_axes()) {
        const auto found = filter.values.find(std::string(axis.name));
        if (found != filter.values.end())
            parts.push_back(fmt::format("{}={}", axis.name, list_in_quotes(found->second, ",")));
    }
    return join(parts, " ");
}

Filter filter_of(const Axes& axes) {
    Filter filter;
    for (const Axis& axis : all_axes())
        filter.values[std::string(axis.name)] = {axis.show(axes)};
    return filter;
}

std::string axis_values_text(const std::vector<Cell>& cells) {
    std::vector<std::string> parts;
    for (const Axis& axis : all_axes())
        parts.push_back(
            fmt::format("{}: {}", axis.name, list_in_quotes(values_of(axis, cells), ", ")));
    return join(parts, "; ");
}

Result<Matrix> narrow(Matrix matrix, const Filter& filter) {
    const std::string there_are = fmt::format("the cells have {}", axis_values_text(matrix.cells));
    for (const auto& [name, wanted] : filter.values) {
        const Axis* axis = find_axis(name);
        const std::vector<std::string> values =
            axis == nullptr ? std::vector<std::string>{} : values_of(*axis, matrix.cells);
        for (const std::string& value : wanted) {
            if (std::find(values.begin(), values.end(), value) == values.end())
                return user_error(fmt::format("{}={}: no cell of {} has it; {}", name,
                                              printable(in_quotes(value)), matrix.name, there_are));
        }
    }
    std::erase_if(matrix.cells, [&](const Cell& cell) { return !filter.matches(cell.axes); });
    if (matrix.cells.empty())
        return user_error(fmt::format("{}: no cell of {} has all of it; {}",
                                      printable(to_string(filter)), matrix.name, there_are));
    return matrix;
}

Result<Matrix> benchmarks_alone(Matrix matrix) {
    std::erase_if(matrix.cells, [](const Cell& cell) { return cell.benchmarks.empty(); });
    if (matrix.cells.empty())
        return user_error(fmt::format("{}: no cell has a benchmark: there is no latency, and so no "
                                      "noise of it, to measure",
                                      matrix.name));
    matrix.only_benchmarks = true;
    return matrix;
}

std::optional<Selftest> entry_of(const Cell& cell, const TestName& name) {
    std::optional<Selftest> entry;
    for (const Selftest& selftest : cell.selftests) {
        const bool names_it = selftest.test == name.test;
        if (selftest.target == name.target && (names_it || (selftest.test.empty() && !entry)))
            entry = selftest;
        if (selftest.target == name.target && names_it)
            break;
    }
    if (entry)
        entry->test = name.test;
    return entry;
}

namespace {

std::vector<Selftest> entries_of(const Cell& cell, const TestName& name) {
    std::vector<Selftest> entries;
    if (!name.test.empty()) {
        if (auto entry = entry_of(cell, name))
            entries.push_back(std::move(*entry));
        return entries;
    }
    std::copy_if(cell.selftests.begin(), cell.selftests.end(), std::back_inserter(entries),
                 [&](const Selftest& selftest) { return selftest.target == name.target; });
    return entries;
}

} // namespace

Result<Matrix> narrow_to_tests(Matrix matrix, const std::vector<TestName>& tests) {
    for (const TestName& test : tests)
        if (std::all_of(matrix.cells.begin(), matrix.cells.end(),
                        [&](const Cell& cell) { return entries_of(cell, test).empty(); }))
            return user_error(fmt::format("{}{}{}: no cell of {} runs it", printable(test.target),
                                          test.test.empty() ? "" : ":", printable(test.test),
                                          matrix.name));
    for (Cell& cell : matrix.cells) {
        std::vector<Selftest> kept;
        for (const TestName& test : tests) {
            const std::vector<Selftest> entries = entries_of(cell, test);
            kept.insert(kept.end(), entries.begin(), entries.end());
        }
        cell.selftests = std::move(kept);
        cell.benchmarks.clear();
    }
    std::erase_if(matrix.cells, [](const Cell& cell) { return cell.selftests.empty(); });
    return matrix;
}

Result<Matrix> chosen(Matrix matrix, const Choice& choice) {
    if (choice.only_benchmarks) {
        auto narrowed = benchmarks_alone(std::move(matrix));
        if (!narrowed)
            return narrowed;
        matrix = std::move(*narrowed);
    }
    if (!choice.only.empty()) {
        auto filter = parse_filter(choice.only);
        if (!filter)
            return tl::unexpected(std::move(filter.error()));
        auto narrowed = narrow(std::move(matrix), *filter);
        if (!narrowed)
            return narrowed;
        matrix = std::move(*narrowed);
    }
    auto part = narrow_to_shard(std::move(matrix), choice.shard);
    if (!part)
        return part;
    matrix = std::move(*part);
    if (choice.tests.empty())
        return matrix;
    std::vector<TestName> names;
    names.reserve(choice.tests.size());
    for (const std::string& test : choice.tests) {
        auto name = parse_test_name(test);
        if (!name && !test.empty() && test.find(':') == std::string::npos)
            name = TestName{test, ""};
        if (!name)
            return user_error(fmt::format("{}: no test's name; expected TARGET:TEST, as "
                                          "proc:proc-maps-race, or a TARGET",
                                          printable(test)));
        names.push_back(std::move(*name));
    }
    return narrow_to_tests(std::move(matrix), names);
}

} // namespace kmatrix

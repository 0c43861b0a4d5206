// SPDX-License-Identifier: GPL-2.0-only
#include "kconfigs/fragments.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

constexpr std::string_view prefix = "CONFIG_";
constexpr std::string_view unset_start = "# CONFIG_";
constexpr std::string_view unset_end = " is not set";

bool is_symbol(std::string_view text) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return text.starts_with(prefix) && text.size() > prefix.size() &&
           text.find_first_not_of(letters) == std::string_view::npos;
}

// "# CONFIG_X is not set", which is a setting though it looks like a comment.
std::optional<ConfigLine> read_setting(std::string_view line) {
    if (line.starts_with(unset_start) && line.ends_with(unset_end)) {
        const std::string_view symbol = line.substr(2, line.size() - 2 - unset_end.size());
        if (is_symbol(symbol))
            return ConfigLine{std::string(symbol), "n"};
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || !is_symbol(line.substr(0, equals)) ||
        equals + 1 == line.size())
        return std::nullopt;
    return ConfigLine{std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))};
}

std::string as_text(const ConfigLine& setting) {
    return setting.value == "n" ? fmt::format("# {} is not set", setting.symbol)
                                : fmt::format("{}={}", setting.symbol, setting.value);
}

// Each symbol's last word.
struct Asked {
    const Fragment* fragment = nullptr;
    const ConfigLine* line = nullptr;
};

std::map<std::string, Asked> last_words(const std::vector<Fragment>& fragments) {
    std::map<std::string, Asked> asked;
    for (const Fragment& fragment : fragments)
        for (const ConfigLine& line : fragment.lines)
            asked[line.symbol] = {&fragment, &line};
    return asked;
}

std::map<std::string, std::string> values_of(std::string_view config) {
    std::map<std::string, std::string> values;
    for (const std::string& line : split(config, '\n'))
        if (auto setting = read_setting(trim(line)))
            values[setting->symbol] = setting->value;
    return values;
}

std::string became(const std::map<std::string, std::string>& values, const std::string& symbol) {
    const auto found = values.find(symbol);
    if (found == values.end())
        return "is not in .config at all (what it depends on is off, or this kernel has no such "
               "symbol)";
    return found->second == "n" ? std::string("became n") : "became " + found->second;
}

} // namespace

Result<Fragment> parse_fragment(std::string_view text, const std::string& file) {
    Fragment fragment{file, true, {}};
    std::map<std::string, ConfigLine> seen;
    int number = 0;
    for (const std::string& raw : split(text, '\n')) {
        ++number;
        const std::string_view line = trim(raw);
        auto setting = read_setting(line);
        if (!setting) {
            if (line.empty() || line.front() == '#')
                continue;
            return user_error(fmt::format("{}:{}: \"{}\" is no setting; CONFIG_NAME=value or "
                                          "\"# CONFIG_NAME is not set\" is expected",
                                          file, number, printable(line)));
        }
        setting->line = number;
        const auto [earlier, is_new] = seen.emplace(setting->symbol, *setting);
        if (!is_new && earlier->second.value != setting->value)
            return user_error(fmt::format("{}:{}: {} is set to {} here, and to {} at line {}", file,
                                          number, setting->symbol, setting->value,
                                          earlier->second.value, earlier->second.line));
        if (is_new)
            fragment.lines.push_back(std::move(*setting));
    }
    return fragment;
}

Fragment parse_selftest_config(std::string_view text, const std::string& file) {
    Fragment fragment{file, false, {}};
    int number = 0;
    for (const std::string& raw : split(text, '\n')) {
        ++number;
        auto setting = read_setting(trim(raw));
        if (!setting)
            continue;
        setting->line = number;
        fragment.lines.push_back(std::move(*setting));
    }
    return fragment;
}

std::string merge_config(std::string_view base, const std::vector<Fragment>& fragments) {
    const auto asked = last_words(fragments);
    bool modules = false;
    std::string merged;
    if (base.ends_with('\n'))
        base.remove_suffix(1);
    for (const std::string& line : split(base, '\n')) {
        const auto setting = read_setting(trim(line));
        if (setting && asked.contains(setting->symbol))
            continue;
        merged += line + "\n";
        modules |= setting && setting->symbol == "CONFIG_MODULES" && setting->value == "y";
    }
    if (const auto found = asked.find("CONFIG_MODULES"); found != asked.end())
        modules = found->second.line->value == "y";
    for (const auto& [symbol, what] : asked)
        if (modules || what.fragment->required || what.line->value != "m")
            merged += as_text(*what.line) + "\n";
    return merged;
}

Result<std::vector<std::string>> verify_config(std::string_view config,
                                               const std::vector<Fragment>& fragments) {
    const auto values = values_of(config);
    std::vector<std::string> wrong, notes;
    for (const auto& [symbol, what] : last_words(fragments)) {
        const auto found = values.find(symbol);
        const std::string value = found == values.end() ? "n" : found->second;
        if (value == what.line->value)
            continue;
        std::string sentence =
            fmt::format("{}:{}: {} was asked for, but {} {}", what.fragment->file, what.line->line,
                        as_text(*what.line), symbol, became(values, symbol));
        (what.fragment->required ? wrong : notes).push_back(std::move(sentence));
    }
    if (!wrong.empty())
        return user_error(
            fmt::format("the configuration did not come out as asked:\n{}", join(wrong, "\n")));
    return notes;
}

std::string ConfigRecipe::fingerprint() const {
    std::string text = fmt::format("base {}\n{}\n", base_target, base_text);
    for (const Fragment& fragment : fragments) {
        text += fragment.required ? "required\n" : "wished for\n";
        for (const ConfigLine& line : fragment.lines)
            text += as_text(line) + "\n";
    }
    return text;
}

} // namespace kmatrix

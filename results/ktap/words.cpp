// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/words.h"

#include <charconv>
#include <limits>

namespace kmatrix::ktap {

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return at;
}

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

} // namespace kmatrix::ktap

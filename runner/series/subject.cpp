// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/subject.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.h"

namespace kmatrix {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

void read_word(MailSubject& subject, std::string_view word) {
    if (const std::size_t slash = word.find('/'); slash != std::string_view::npos) {
        const auto number = whole_number(word.substr(0, slash));
        const auto total = whole_number(word.substr(slash + 1));
        if (number && total) {
            subject.number = number;
            subject.total = total;
        }
        return;
    }
    if (const std::size_t patch = word.find("patch"); patch != std::string_view::npos)
        word.remove_prefix(patch + 5); // "[PATCHv2 1/3]"
    if (word.starts_with('v'))
        if (const auto version = whole_number(word.substr(1)); version && *version > 0)
            subject.version = *version;
}

} // namespace

MailSubject parse_subject(std::string_view line) {
    MailSubject subject;
    line = trim(line);
    while (lower(line.substr(0, 3)) == "re:") {
        subject.is_reply = true;
        line = trim(line.substr(3));
    }
    while (line.starts_with('[')) {
        const std::size_t close = line.find(']');
        if (close == std::string_view::npos)
            break;
        std::string bracket = lower(line.substr(1, close - 1));
        std::replace(bracket.begin(), bracket.end(), ',', ' ');
        for (const std::string& word : split(bracket, ' '))
            read_word(subject, word);
        line = trim(line.substr(close + 1));
    }
    subject.text = line;
    return subject;
}

} // namespace kmatrix

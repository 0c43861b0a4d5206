// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/subject.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.h"

namespace kmatrix {
namespace {

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
    subject.is_patch |= word == "rfc";
    if (const std::size_t patch = word.find("patch"); patch != std::string_view::npos) {
        subject.is_patch = true;
        word.remove_prefix(patch + 5); // "[PATCHv2 1/3]"
    }
    if (!word.starts_with('v'))
        return;
    const std::size_t dot = word.find('.');
    const auto version =
        whole_number(word.substr(1, dot == std::string_view::npos ? dot : dot - 1));
    const auto replaces = dot == std::string_view::npos ? 0 : whole_number(word.substr(dot + 1));
    if (version && *version > 0 && replaces) {
        subject.version = *version;
        subject.replaces = *replaces;
    }
}

// The bracket at the start of the line, with those in it; 0: none that is closed.
std::size_t bracket_size(std::string_view line) {
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        depth += line[i] == '[' ? 1 : line[i] == ']' ? -1 : 0;
        if (depth == 0)
            return i == 0 ? 0 : i + 1;
    }
    return 0;
}

// What mail programs put before the subject of an answer; 0: nothing.
std::size_t reply_size(std::string_view line) {
    for (const std::string_view start : {"re:", "aw:", "sv:", "fw:", "fwd:"})
        if (lower(line.substr(0, start.size())) == start)
            return start.size();
    return 0;
}

} // namespace

MailSubject parse_subject(std::string_view line) {
    MailSubject subject;
    line = trim(line);
    while (const std::size_t size = reply_size(line)) {
        subject.is_reply = true;
        line = trim(line.substr(size));
    }
    while (const std::size_t size = bracket_size(line)) {
        std::string bracket = lower(line.substr(0, size));
        for (char& c : bracket)
            if (std::string_view(",;[]\t").find(c) != std::string_view::npos)
                c = ' ';
        for (const std::string& word : split(bracket, ' '))
            read_word(subject, word);
        line = trim(line.substr(size));
    }
    subject.text = line;
    return subject;
}

} // namespace kmatrix

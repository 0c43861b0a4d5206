// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace kmatrix {
namespace {

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

} // namespace

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string first_columns(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    while (end < text.size() && (count > 0 || !begins_character(text[end])))
        count -= begins_character(text[end++]) ? 1 : 0;
    return std::string(text.substr(0, end));
}

std::string wrapped(std::string_view sentence, std::string_view indent, std::size_t width) {
    std::string text;
    std::string line(sentence.substr(0, sentence.find_first_not_of(' ')));
    bool has_word = false;
    for (const std::string& word : split(trim(sentence), ' ')) {
        if (has_word && columns(line) + 1 + columns(word) > width) {
            text += line + "\n";
            line = indent;
            has_word = false;
        }
        line += (has_word ? " " : "") + word;
        has_word = true;
    }
    return text + line + "\n";
}

std::string one_line(std::string_view text) {
    std::string line;
    for (const char byte : printable(text)) {
        const bool space = byte == '\n' || byte == '\t' || byte == ' ';
        if (!space)
            line += byte;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    return std::string(trim(line));
}

} // namespace kmatrix

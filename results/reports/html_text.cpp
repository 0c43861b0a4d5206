// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/html_text.h"

#include "base/text.h"

namespace kmatrix {
namespace {

// Unicode's explicit directional formatting, U+202A to U+202E and U+2066 to U+2069, in UTF-8
// (Unicode Standard Annex 9; CVE-2021-42574 shows what they are good for).
bool turns_text_around(std::string_view text) {
    if (text.size() < 3 || text[0] != '\xE2')
        return false;
    return (text[1] == '\x80' && text[2] >= '\xAA' && text[2] <= '\xAE') ||
           (text[1] == '\x81' && text[2] >= '\xA6' && text[2] <= '\xA9');
}

} // namespace

std::string escaped(std::string_view text) {
    const std::string clean = printable(text);
    std::string out;
    out.reserve(clean.size());
    for (std::size_t i = 0; i < clean.size(); ++i) {
        switch (clean[i]) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            if (turns_text_around(std::string_view(clean).substr(i))) {
                out += "\xEF\xBF\xBD";
                i += 2;
            } else {
                out += clean[i];
            }
        }
    }
    return out;
}

std::string url_path(const std::filesystem::path& path) {
    std::string url;
    for (const char c : path.generic_string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~' ||
                           c == '/';
        if (plain)
            url += c;
        else
            url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return url;
}

Html each(std::string_view tag, const std::vector<std::string>& texts) {
    Html all;
    for (const std::string& text : texts)
        all += html("<{0}>{1}</{0}>\n", tag, text);
    return all;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/versions.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

// What people retype differs in nothing else.
std::string in_small_letters(std::string_view text) {
    std::string out;
    for (const char c : lower(text)) {
        const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!is_space)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return std::string(trim(out));
}

std::string author_address(const std::string& author) {
    const std::size_t open = author.rfind('<');
    const std::size_t close = author.rfind('>');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return in_small_letters(author);
    return in_small_letters(author.substr(open + 1, close - open - 1));
}

bool refers_to(const SeriesIdentity& one, const SeriesIdentity& other) {
    return !other.message_id.empty() && std::find(one.references.begin(), one.references.end(),
                                                  other.message_id) != one.references.end();
}

} // namespace

SeriesIdentity identity_of(const SeriesInfo& series) {
    SeriesIdentity identity;
    identity.version = series.version;
    identity.change_id = series.change_id;
    identity.subject = in_small_letters(series.subject);
    identity.author = author_address(series.author);
    identity.message_id = series.message_id;
    if (series.cover)
        identity.references = series.cover->references;
    else if (!series.letters.empty())
        identity.references = series.letters.front().references;
    return identity;
}

std::optional<std::string> why_one_series(const SeriesIdentity& one, const SeriesIdentity& other) {
    if (!one.change_id.empty() && !other.change_id.empty()) {
        if (one.change_id != other.change_id)
            return std::nullopt;
        return "both have the change-id " + one.change_id;
    }
    const bool same_author = !one.author.empty() && one.author == other.author;
    const bool same_subject = !one.subject.empty() && one.subject == other.subject;
    if (same_author && same_subject)
        return "author and subject are the same";
    if ((refers_to(one, other) || refers_to(other, one)) && (same_author || same_subject))
        return fmt::format("one answers the other, and the {} is the same",
                           same_author ? "author" : "subject");
    return std::nullopt;
}

std::string sentence(const EarlierVersion& earlier) {
    return fmt::format("v{} was tested here on {}: {}", earlier.version,
                       earlier.started.substr(0, 10), earlier.verdict);
}

} // namespace kmatrix

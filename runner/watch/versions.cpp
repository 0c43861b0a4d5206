// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/versions.h"

#include <algorithm>

#include "base/text.h"
#include "runner/series/subject.h"

namespace kmatrix::watch {
namespace {

std::string plain_subject(const Entry& entry) {
    return lower(parse_subject(entry.subject).text);
}

bool answers(const Entry& one, const Entry& other) {
    const std::vector<std::string> ids = split(one.references, '\n');
    return !other.message_id.empty() &&
           std::find(ids.begin(), ids.end(), other.message_id) != ids.end();
}

} // namespace

bool is_one_series(const Entry& one, const Entry& other) {
    if (one.sender != other.sender)
        return false;
    if (!one.change_id.empty() && !other.change_id.empty())
        return one.change_id == other.change_id;
    return plain_subject(one) == plain_subject(other) || answers(one, other) || answers(other, one);
}

std::string digest_of(const std::vector<Patch>& patches) {
    std::string text;
    for (const Patch& patch : patches) {
        bool in_diff = false;
        for (const std::string& line : split(patch.diff, '\n')) {
            in_diff |= line.starts_with("diff -") || line.starts_with("+++ ");
            const bool counts = !line.starts_with("@@") && !line.starts_with("index ");
            if (line.starts_with("-- "))
                break; // the signature, with git's version
            if (in_diff && counts)
                text += line + "\n";
        }
        text += '\0';
    }
    return sha256(text);
}

std::string change_id_of(const Mail& mail) {
    constexpr std::string_view key = "change-id: ";
    constexpr std::size_t longest = 200;
    for (const std::string* text : {&mail.text, &mail.diff})
        for (const std::string& line : split(*text, '\n'))
            if (line.starts_with(key))
                return printable(trim(std::string_view(line).substr(key.size(), longest)));
    return {};
}

} // namespace kmatrix::watch

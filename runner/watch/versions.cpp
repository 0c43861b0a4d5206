// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/versions.h"

#include "base/text.h"
#include "results/versions.h"
#include "runner/series/subject.h"

namespace kmatrix::watch {
namespace {

SeriesIdentity identity_of(const Entry& entry) {
    SeriesIdentity identity;
    identity.change_id = entry.change_id;
    identity.subject = lower(parse_subject(entry.subject).text);
    identity.author = entry.sender;
    identity.message_id = entry.message_id;
    identity.references = split(entry.references, '\n');
    return identity;
}

} // namespace

bool is_one_series(const Entry& one, const Entry& other) {
    return one.sender == other.sender && why_one_series(identity_of(one), identity_of(other));
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

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/rule.h"

#include <algorithm>

#include <fnmatch.h>

#include <fmt/format.h>

namespace kmatrix::watch {
namespace {

bool fits(const std::string& pattern, const std::string& text, int flags) {
    return ::fnmatch(pattern.c_str(), text.c_str(), flags) == 0;
}

template <class Fits>
bool any(const std::vector<std::string>& patterns, const std::vector<std::string>& texts,
         Fits fits) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return fits(pattern, text); });
    });
}

bool text_fits(const std::string& pattern, const std::string& text) {
    return fits(pattern, text, FNM_CASEFOLD);
}

bool path_fits(const std::string& pattern, const std::string& path) {
    return pattern.ends_with('/') ? path.starts_with(pattern) : fits(pattern, path, 0);
}

} // namespace

Facts facts_of(const std::string& inbox, const std::vector<SeriesMail>& mails) {
    Facts facts{{inbox}, {}, {}, {}};
    for (const auto& [mail, origin] : mails) {
        for (const auto* addresses : {&mail.to, &mail.cc})
            for (const MailAddress& address : *addresses)
                facts.lists.push_back(address.address);
        facts.subjects.push_back(mail.subject);
        facts.authors.push_back(mail.author);
        facts.authors.push_back(fmt::format("{} <{}>", mail.from.name, mail.from.address));
        for (const FileDiff& file : parse_diff(mail.diff))
            for (const std::string* path : {&file.old_path, &file.new_path})
                if (!path->empty())
                    facts.files.push_back(*path);
    }
    return facts;
}

bool holds(const Rule& rule, const Facts& facts) {
    const auto wanted = [](const auto& patterns, const auto& texts, auto fits) {
        return patterns.empty() || any(patterns, texts, fits);
    };
    return wanted(rule.lists, facts.lists, text_fits) &&
           wanted(rule.files, facts.files, path_fits) &&
           wanted(rule.subject, facts.subjects, text_fits) &&
           wanted(rule.author, facts.authors, text_fits) &&
           !any(rule.not_subject, facts.subjects, text_fits) &&
           !any(rule.not_author, facts.authors, text_fits);
}

const Rule* chosen(const std::vector<Rule>& rules, const Facts& facts) {
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&](const Rule& rule) { return holds(rule, facts); });
    return found == rules.end() ? nullptr : &*found;
}

} // namespace kmatrix::watch

// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "runner/series/limits.h"
#include "runner/series/mangled.h"
#include "runner/series/series.h"
#include "runner/series/thread.h"

namespace kmatrix {
namespace {

bool is_id(std::string_view text) {
    return text.size() >= 12 && text.size() <= 64 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// "20260101-vma-locks-0123456789ab", or whatever else other programs make up.
bool is_change_id(std::string_view text) {
    return !text.empty() && text.size() <= 200 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// What `git format-patch --base` and b4 write below the cover letter or the first patch.
void read_base(std::string_view text, Series& series) {
    constexpr std::string_view base = "base-commit: ", before = "prerequisite-patch-id: ",
                               change = "change-id: ";
    for (const std::string& line : split(text, '\n')) {
        const std::string_view words = line;
        if (words.starts_with(base) && series.base_commit.empty())
            if (const std::string_view id = trim(words.substr(base.size())); is_id(id))
                series.base_commit = id;
        if (words.starts_with(before) && series.prerequisites.size() < most_patches)
            if (const std::string_view id = trim(words.substr(before.size())); is_id(id))
                series.prerequisites.emplace_back(id);
        if (words.starts_with(change) && series.change_id.empty())
            if (const std::string_view id = trim(words.substr(change.size())); is_change_id(id))
                series.change_id = id;
    }
}

// As an archive writes it (mboxrd), which split_mbox() undoes.
void add_to_mbox(std::string& mbox, const Mail& mail) {
    if (mail.raw.empty())
        return;
    mbox += "From mboxrd@z Thu Jan  1 00:00:00 1970\n";
    // Spaces at its end may be a diff's last line.
    std::string_view raw = mail.raw;
    while (raw.ends_with('\n'))
        raw.remove_suffix(1);
    for (const std::string& line : split(raw, '\n')) {
        const std::size_t quotes = line.find_first_not_of('>');
        if (quotes != std::string::npos && line.compare(quotes, 5, "From ") == 0)
            mbox += '>';
        mbox += line + "\n";
    }
    mbox += '\n';
}

// An answer quotes no more than a letter's first words.
Letter letter_of(const Mail& mail) {
    constexpr std::size_t text_limit_bytes = 8192;
    std::string text = mail.text;
    if (text.size() > text_limit_bytes)
        text.resize(text.rfind('\n', text_limit_bytes) + 1);
    return {mail.subject, mail.from,       mail.date, mail.message_id, mail.references, mail.to,
            mail.cc,      printable(text), {},        mail.sha256};
}

// What is looked at before a diff is: whether its mail is one that a person can have meant to send.
std::optional<std::string> mail_refusal(const Mail& mail) {
    if (!mail.unwelcome.empty())
        return "refused: " + mail.unwelcome;
    if (mail.is_flowed)
        return "mangled: it was sent as format=flowed, in which a mail program may wrap lines and "
               "change spaces; ask for it sent with git send-email";
    return std::nullopt;
}

Result<Patch> make_patch(const ThreadMail& read) {
    if (const auto why = mail_refusal(read.from.mail))
        return user_error(fmt::format("{}: {}", read.name(), *why));
    Patch patch{read.subject.text,        read.from.mail.author, read.from.mail.message_id,
                read.from.origin,         read.from.mail.diff,   parse_diff(read.from.mail.diff),
                letter_of(read.from.mail)};
    if (patch.files.empty())
        return user_error(fmt::format("{}: no file's diff could be read in it", read.name()));
    for (const FileDiff& file : patch.files)
        if (const auto why = refusal(file))
            return user_error(fmt::format("{}: refused, for it touches {}", read.name(), *why));
    if (const auto where = damage(patch.diff))
        return user_error(fmt::format("{}: mangled: {}", read.name(), *where));
    for (const FileDiff& file : patch.files)
        patch.letter.files.push_back(file.path());
    return patch;
}

// What is wrong with the numbers of a series; empty: nothing.
Result<void> check_numbers(const std::vector<ThreadMail>& patches, const std::string& source) {
    std::set<int> versions, totals;
    std::map<int, const ThreadMail*> by_number;
    bool any_without = false;
    for (const ThreadMail& read : patches) {
        versions.insert(read.subject.version);
        if (!read.subject.number) {
            any_without = true;
            continue;
        }
        totals.insert(*read.subject.total);
        const auto [other, is_new] = by_number.emplace(*read.subject.number, &read);
        if (!is_new)
            return user_error(fmt::format("{}: two patches say that they are {}/{}: {} and {}",
                                          source, *read.subject.number, *read.subject.total,
                                          other->second->name(), read.name()));
    }
    if (versions.size() > 1)
        return user_error(fmt::format("{}: patches of different versions lie together (v{}); give "
                                      "those of one version only",
                                      source, fmt::join(versions, ", v")));
    if (totals.empty())
        return {};
    if (totals.size() > 1)
        return user_error(fmt::format(
            "{}: patches of different series lie together (of {} patches); give one series", source,
            fmt::join(totals, " and of ")));
    if (any_without)
        return user_error(fmt::format(
            "{}: some patches are numbered [n/m] and some are not, so that their order is unknown",
            source));
    const int total = *totals.begin();
    if (total > static_cast<int>(most_patches))
        return user_error(fmt::format("{}: refused: it says that it has {} patches, and kmatrix "
                                      "takes {} at most",
                                      source, total, most_patches));
    if (by_number.rbegin()->first > total)
        return user_error(fmt::format("{}: {} is numbered {}/{}", source,
                                      by_number.rbegin()->second->name(), by_number.rbegin()->first,
                                      total));
    std::vector<std::string> missing;
    for (int number = 1; number <= total; ++number)
        if (!by_number.contains(number))
            missing.push_back(fmt::format("{}/{}", number, total));
    if (!missing.empty())
        return user_error(fmt::format("{}: the series has {} patches, and {} {} missing", source,
                                      total, join(missing, ", "),
                                      missing.size() == 1 ? "is" : "are"));
    return {};
}

// What a cover letter says of the patches below it; "0/0" says nothing.
Result<void> check_cover(const std::vector<ThreadMail>& covers,
                         const std::vector<ThreadMail>& patches, const std::string& source) {
    if (covers.empty())
        return {};
    if (covers.size() > 1)
        return user_error(fmt::format("{}: there are two cover letters in it: {} and {}", source,
                                      covers[0].name(), covers[1].name()));
    const MailSubject &cover = covers[0].subject, &first = patches[0].subject;
    if (const auto why = mail_refusal(covers[0].from.mail))
        return user_error(fmt::format("{}: {}", covers[0].name(), *why));
    if (cover.version != first.version)
        return user_error(fmt::format("{}: the cover letter is of v{}, the patches are of v{}",
                                      source, cover.version, first.version));
    const int patches_told = first.total.value_or(static_cast<int>(patches.size()));
    if (cover.total.value_or(0) > 0 && *cover.total != patches_told)
        return user_error(fmt::format("{}: the cover letter is of {} patches, and {} are there",
                                      source, *cover.total, patches_told));
    return {};
}

} // namespace

Result<Series> assemble_series(std::vector<SeriesMail> given, const std::string& source,
                               const std::string& message_id) {
    Series series;
    series.source = source;
    std::vector<ThreadMail> mails, patches, covers;
    mails.reserve(given.size());
    for (SeriesMail& from : given) {
        MailSubject subject = parse_subject(from.mail.subject);
        mails.push_back({std::move(from), std::move(subject)});
    }
    if (!message_id.empty()) {
        auto chosen = series_of(message_id, std::move(mails));
        if (!chosen)
            return tl::unexpected(std::move(chosen.error()).in(source));
        mails = std::move(*chosen);
    }
    for (ThreadMail& read : without_others(std::move(mails), series.notes)) {
        read_base(read.from.mail.text + "\n" + read.from.mail.diff, series);
        if (read.subject.number == 0)
            covers.push_back(std::move(read));
        else if (!read.from.mail.diff.empty())
            patches.push_back(std::move(read));
        else if (read.subject.number)
            return user_error(fmt::format("{}: it has no diff", read.name()));
        else
            series.notes.push_back(fmt::format("{} has no diff and was left out", read.name()));
    }
    if (patches.empty())
        return user_error(fmt::format("{}: there is no patch in it", source));
    if (patches.size() > most_patches)
        return user_error(fmt::format("{}: refused: {} patches, and kmatrix takes {} at most",
                                      source, patches.size(), most_patches));
    if (auto checked = check_numbers(patches, source); !checked)
        return tl::unexpected(checked.error());
    if (auto checked = check_cover(covers, patches, source); !checked)
        return tl::unexpected(checked.error());
    std::stable_sort(patches.begin(), patches.end(),
                     [](const ThreadMail& one, const ThreadMail& other) {
                         return one.subject.number.value_or(0) < other.subject.number.value_or(0);
                     });
    const ThreadMail& head = covers.empty() ? patches.front() : covers.front();
    series.subject = head.subject.text;
    series.author = head.from.mail.author;
    series.message_id = head.from.mail.message_id;
    series.version = head.subject.version;
    if (!covers.empty()) {
        series.cover = letter_of(head.from.mail);
        add_to_mbox(series.mbox, head.from.mail);
    }
    series.patches.reserve(patches.size());
    for (const ThreadMail& read : patches) {
        auto patch = make_patch(read);
        if (!patch)
            return tl::unexpected(patch.error());
        series.patches.push_back(std::move(*patch));
        add_to_mbox(series.mbox, read.from.mail);
    }
    const bool has_bare_diff = std::any_of(patches.begin(), patches.end(), [](const auto& read) {
        return read.from.mail.raw.empty();
    });
    if (has_bare_diff)
        series.mbox.clear();
    return series;
}

} // namespace kmatrix

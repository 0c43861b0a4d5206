// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "runner/series/series.h"
#include "runner/series/subject.h"

namespace kmatrix {
namespace {

constexpr std::string_view selftests_directory = "tools/testing/selftests/";

struct Read {
    SeriesMail from;
    MailSubject subject;
};

std::string base_commit_of(std::string_view text) {
    constexpr std::string_view key = "base-commit: ";
    for (const std::string& line : split(text, '\n')) {
        if (!line.starts_with(key))
            continue;
        std::string id(trim(std::string_view(line).substr(key.size())));
        if (id.size() >= 12 && id.find_first_not_of("0123456789abcdef") == std::string::npos)
            return id;
    }
    return {};
}

std::string patch_name(const Read& read) {
    return fmt::format("{} (\"{}\")", read.from.origin, read.subject.text);
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

Result<Patch> make_patch(const Read& read) {
    Patch patch{read.subject.text,        read.from.mail.author, read.from.mail.message_id,
                read.from.origin,         read.from.mail.diff,   parse_diff(read.from.mail.diff),
                letter_of(read.from.mail)};
    if (patch.files.empty())
        return user_error(fmt::format("{}: no file's diff could be read in it", patch_name(read)));
    for (const FileDiff& file : patch.files)
        if (const auto why = refusal(file))
            return user_error(
                fmt::format("{}: refused, for it touches {}", patch_name(read), *why));
    for (const FileDiff& file : patch.files)
        patch.letter.files.push_back(file.path());
    return patch;
}

// What is wrong with the numbers of a series; empty: nothing.
Result<void> check_numbers(const std::vector<Read>& patches, const std::string& source) {
    std::set<int> versions, totals;
    std::map<int, const Read*> by_number;
    bool any_without = false;
    for (const Read& read : patches) {
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
                                          patch_name(*other->second), patch_name(read)));
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
    if (by_number.rbegin()->first > total || total > 1000)
        return user_error(fmt::format("{}: {} is numbered {}/{}", source,
                                      patch_name(*by_number.rbegin()->second),
                                      by_number.rbegin()->first, total));
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

} // namespace

std::vector<std::string> Series::selftests_edited() const {
    std::set<std::string> targets;
    for (const Patch& patch : patches)
        for (const FileDiff& file : patch.files)
            for (const std::string* path : {&file.old_path, &file.new_path})
                if (path->starts_with(selftests_directory))
                    targets.insert(split(path->substr(selftests_directory.size()), '/').front());
    return {targets.begin(), targets.end()};
}

SeriesInfo Series::info() const {
    SeriesInfo info;
    info.subject = subject;
    info.version = version;
    for (const Patch& patch : patches) {
        info.patches.push_back(patch.subject);
        info.letters.push_back(patch.letter);
    }
    info.cover = cover;
    info.source = source;
    info.message_id = message_id;
    info.author = author;
    info.changes_selftests = !selftests_edited().empty();
    info.notes = notes;
    return info;
}

Result<Series> assemble_series(std::vector<SeriesMail> mails, const std::string& source) {
    Series series;
    series.source = source;
    std::vector<Read> patches, covers;
    for (SeriesMail& from : mails) {
        Read read{std::move(from), {}};
        read.subject = parse_subject(read.from.mail.subject);
        if (series.base_commit.empty())
            series.base_commit = base_commit_of(read.from.mail.text + "\n" + read.from.mail.diff);
        if (read.subject.is_reply)
            series.notes.push_back(fmt::format("{} is a reply and was left out", patch_name(read)));
        else if (read.subject.number == 0)
            covers.push_back(std::move(read));
        else if (!read.from.mail.diff.empty())
            patches.push_back(std::move(read));
        else if (read.subject.number)
            return user_error(fmt::format("{}: it has no diff", patch_name(read)));
        else
            series.notes.push_back(
                fmt::format("{} has no diff and was left out", patch_name(read)));
    }
    if (patches.empty())
        return user_error(fmt::format("{}: there is no patch in it", source));
    if (covers.size() > 1)
        return user_error(fmt::format("{}: there are two cover letters in it: {} and {}", source,
                                      patch_name(covers[0]), patch_name(covers[1])));
    if (auto checked = check_numbers(patches, source); !checked)
        return tl::unexpected(checked.error());
    if (!covers.empty() && covers[0].subject.version != patches[0].subject.version)
        return user_error(fmt::format("{}: the cover letter is of v{}, the patches are of v{}",
                                      source, covers[0].subject.version,
                                      patches[0].subject.version));
    std::stable_sort(patches.begin(), patches.end(), [](const Read& one, const Read& other) {
        return one.subject.number.value_or(0) < other.subject.number.value_or(0);
    });
    const Read& head = covers.empty() ? patches.front() : covers.front();
    series.subject = head.subject.text;
    series.author = head.from.mail.author;
    series.message_id = head.from.mail.message_id;
    series.version = head.subject.version;
    if (!covers.empty())
        series.cover = letter_of(head.from.mail);
    for (const Read& read : patches) {
        auto patch = make_patch(read);
        if (!patch)
            return tl::unexpected(patch.error());
        series.patches.push_back(std::move(*patch));
    }
    return series;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/series/series.h"
#include "runner/source/argv.h"
#include "runner/source/repository.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

constexpr std::uintmax_t size_limit_bytes = 64u << 20;

Result<std::vector<SeriesMail>> read_mails(const fs::path& file) {
    std::error_code error;
    if (fs::file_size(file, error) > size_limit_bytes || error)
        return user_error(fmt::format("{}: larger than a series can be ({} MiB)", file.string(),
                                      size_limit_bytes >> 20));
    const auto text = read_file(file);
    if (!text)
        return tl::unexpected(text.error());
    const std::string name = file.filename();
    if (text->starts_with("\x1f\x8b"))
        return user_error(fmt::format("{}: compressed; unpack it first: gunzip {}", file.string(),
                                      file.string()));
    if (is_bare_diff(*text)) {
        std::vector<SeriesMail> one(1);
        one[0].mail.subject = file.stem();
        one[0].mail.diff = *text;
        one[0].mail.sha256 = sha256(*text);
        one[0].origin = name;
        return one;
    }
    std::vector<SeriesMail> mails;
    const std::vector<std::string> parts = split_mbox(*text);
    for (const std::string& part : parts)
        mails.push_back(
            {parse_mail(part),
             parts.size() == 1 ? name : fmt::format("mail {} of {}", mails.size() + 1, name)});
    // As `sha256sum` has it, with the mbox's own line if there is one.
    if (mails.size() == 1)
        mails[0].mail.sha256 = sha256(*text);
    return mails;
}

Result<Series> read_directory(const fs::path& directory, const std::string& source) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string extension = entry->path().extension();
        if (extension == ".patch" || extension == ".eml" || extension == ".mbox")
            files.push_back(entry->path());
    }
    if (files.empty())
        return user_error(
            fmt::format("{}: no *.patch, *.eml or *.mbox file in this directory", source));
    std::sort(files.begin(), files.end());
    std::vector<SeriesMail> all;
    for (const fs::path& file : files) {
        auto mails = read_mails(file);
        if (!mails)
            return tl::unexpected(mails.error());
        std::move(mails->begin(), mails->end(), std::back_inserter(all));
    }
    return assemble_series(std::move(all), source);
}

asio::awaitable<Result<Series>> read_range(std::string source, const Repository& repository) {
    const std::size_t dots = source.find("..");
    const bool is_range = dots != std::string::npos;
    if (is_range && source.find("...") != std::string::npos)
        co_return user_error(
            fmt::format("{}: a range with three dots names two sides; write base..topic", source));
    // Names of their own: g++ 12 gets the lifetime of a conditional temporary in co_await wrong.
    const std::string topic_name = is_range ? source.substr(dots + 2) : source;
    const std::string base_name = is_range ? source.substr(0, dots) : "HEAD";
    auto topic = co_await repository.commit(topic_name);
    if (!topic)
        co_return user_error(fmt::format("--series {}: no such file or directory, and {}", source,
                                         topic.error().message));
    auto base = co_await repository.commit(base_name);
    if (!base)
        co_return tl::unexpected(base.error());
    if (!is_range) {
        auto fork = co_await repository.git(argv("merge-base", *base, *topic));
        if (!fork)
            co_return user_error(
                fmt::format("--series {}: it has no commit in common with HEAD", source));
        base = std::string(trim(*fork));
    }
    const std::string range = *base + ".." + *topic;
    auto merges = co_await repository.git(argv("rev-list", "--merges", "--max-count=1", range));
    if (!merges)
        co_return tl::unexpected(merges.error());
    if (!trim(*merges).empty())
        co_return user_error(fmt::format("--series {}: commit {} in it is a merge, and no patch; "
                                         "rebase the branch, or give a range without merges",
                                         source, trim(*merges)));
    auto roots = co_await repository.git(argv("rev-list", "--max-parents=0", range));
    if (!roots)
        co_return tl::unexpected(roots.error());
    if (!trim(*roots).empty())
        co_return user_error(
            fmt::format("--series {}: commit {} in it has no parent (in a shallow clone: deepen it "
                        "with git fetch --deepen=100)",
                        source, trim(*roots)));
    auto mbox = co_await repository.git(argv(
        "format-patch", "--stdout", "--no-cover-letter", "--numbered", "--no-signature",
        "--no-attach", "--subject-prefix=PATCH", "--no-ext-diff", "--no-textconv", "--full-index",
        "--binary", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", "--no-color", range));
    if (!mbox)
        co_return tl::unexpected(mbox.error());
    std::vector<SeriesMail> mails;
    for (const std::string& text : split_mbox(*mbox))
        mails.push_back({parse_mail(text), {}});
    auto ids = co_await repository.git(argv("rev-list", "--reverse", "--no-merges", range));
    if (!ids)
        co_return tl::unexpected(ids.error());
    const std::vector<std::string> commits = split(*ids, '\n');
    for (std::size_t i = 0; i < mails.size() && i < commits.size(); ++i)
        mails[i].origin = "commit " + commits[i].substr(0, 12);
    if (mails.empty())
        co_return user_error(fmt::format("--series {}: there is no commit in it that {} has not",
                                         source, is_range ? base_name : "HEAD"));
    auto series = assemble_series(std::move(mails), source);
    if (series) {
        series->base_commit = *base;
        series->is_range = true;
    }
    co_return series;
}

// What later work will understand, and what a path or a branch never looks like.
bool is_remote(const std::string& source) {
    return source.find("://") != std::string::npos || source.find('@') != std::string::npos ||
           source.starts_with('<');
}

} // namespace

asio::awaitable<Result<Series>> read_series(std::string source, const Repository& repository) {
    std::error_code error;
    if (fs::is_directory(source, error))
        co_return read_directory(source, source);
    if (fs::exists(source, error)) {
        auto mails = read_mails(source);
        if (!mails)
            co_return tl::unexpected(mails.error());
        co_return assemble_series(std::move(*mails), source);
    }
    if (is_remote(source))
        co_return user_error(fmt::format(
            "--series {}: kmatrix does not fetch from mail archives; save the series as an mbox "
            "(b4 am -o DIR MESSAGE-ID) and give that file",
            source));
    co_return co_await read_range(std::move(source), repository);
}

} // namespace kmatrix

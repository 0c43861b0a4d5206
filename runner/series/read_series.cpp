// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/series/fetch.h"
#include "runner/series/limits.h"
#include "runner/series/series.h"
#include "runner/series/unpack.h"
#include "runner/source/argv.h"
#include "runner/source/repository.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// What run() keeps of a command's output.
constexpr std::size_t largest_range_bytes = 16u << 20;

tl::unexpected<Error> too_large(const std::string& name) {
    return user_error(fmt::format("{}: refused: larger than a series can be ({} MiB)", name,
                                  largest_series_bytes >> 20));
}

// A patch, an mbox or a bare diff, perhaps compressed. stem: what a bare diff is called.
Result<std::vector<SeriesMail>> mails_of(std::string text, const std::string& name,
                                         const std::string& stem) {
    if (is_gzip(text)) {
        auto unpacked = gunzip(text, largest_series_bytes);
        if (!unpacked)
            return tl::unexpected(std::move(unpacked.error()).in(name));
        text = std::move(*unpacked);
    }
    if (text.size() > largest_series_bytes)
        return too_large(name);
    std::vector<SeriesMail> mails;
    if (is_bare_diff(text)) {
        mails.emplace_back();
        mails[0].mail.subject = stem;
        mails[0].mail.sha256 = sha256(text);
        mails[0].mail.diff = std::move(text);
        mails[0].origin = name;
        return mails;
    }
    const std::vector<std::string> parts = split_mbox(text);
    if (parts.size() > most_mails)
        return user_error(fmt::format("{}: refused: {} mails, and kmatrix reads {} at most", name,
                                      parts.size(), most_mails));
    mails.reserve(parts.size());
    for (const std::string& part : parts)
        mails.push_back(
            {parse_mail(part),
             parts.size() == 1 ? name : fmt::format("mail {} of {}", mails.size() + 1, name)});
    // As `sha256sum` has it, with the mbox's own line if there is one.
    if (mails.size() == 1)
        mails[0].mail.sha256 = sha256(text);
    return mails;
}

Result<std::vector<SeriesMail>> read_mails(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error && size > largest_series_bytes)
        return too_large(file.string());
    auto text = read_file(file);
    if (!text)
        return tl::unexpected(text.error());
    return mails_of(std::move(*text), file.filename(), file.stem());
}

bool is_mail_file(fs::path name) {
    if (name.extension() == ".gz")
        name = name.stem();
    const std::string extension = name.extension();
    return extension == ".patch" || extension == ".eml" || extension == ".mbox";
}

Result<Series> read_directory(const fs::path& directory, const std::string& source) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (is_mail_file(entry->path().filename()))
            files.push_back(entry->path());
    if (files.empty())
        return user_error(
            fmt::format("{}: no *.patch, *.eml or *.mbox file in this directory", source));
    std::sort(files.begin(), files.end());
    std::vector<SeriesMail> all;
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
        auto mails = read_mails(file);
        if (!mails)
            return tl::unexpected(mails.error());
        for (const SeriesMail& mail : *mails)
            bytes += mail.mail.raw.size() + mail.mail.diff.size();
        std::move(mails->begin(), mails->end(), std::back_inserter(all));
        if (bytes > 2 * largest_series_bytes)
            return too_large(source);
        if (all.size() > most_mails)
            return user_error(fmt::format("{}: refused: more than {} mails", source, most_mails));
    }
    return assemble_series(std::move(all), source);
}

Result<Series> read_stdin() {
    std::string text;
    std::array<char, 65536> buffer;
    while (true) {
        const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return user_error(fmt::format("stdin cannot be read: {}", std::strerror(errno)));
        if (n == 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(n));
        if (text.size() > largest_series_bytes)
            return too_large("stdin");
    }
    return mails_of(std::move(text), "stdin", "stdin").and_then([](std::vector<SeriesMail> mails) {
        return assemble_series(std::move(mails), "-");
    });
}

asio::awaitable<Result<Series>> read_archive(std::string source, ArchivedMail mail) {
    auto thread = co_await fetch_thread(mail);
    if (!thread)
        co_return tl::unexpected(std::move(thread.error()).in("--series " + source));
    auto mails = mails_of(std::move(*thread), "the thread", "thread");
    if (!mails)
        co_return tl::unexpected(mails.error());
    co_return assemble_series(std::move(*mails), source, mail.message_id);
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
    if (mbox->size() >= largest_range_bytes)
        co_return user_error(fmt::format("--series {}: refused: its patches are larger than {} MiB",
                                         source, largest_range_bytes >> 20));
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

// Looks like an archive's, and is none that can be understood.
bool is_url(const std::string& source) {
    return source.find("://") != std::string::npos || source.starts_with('<');
}

} // namespace

asio::awaitable<Result<Series>> read_series(std::string source, const Repository& repository) {
    std::error_code error;
    if (fs::is_directory(source, error))
        co_return read_directory(source, source);
    if (source != "-" && fs::exists(source, error)) {
        auto mails = read_mails(source);
        if (!mails)
            co_return tl::unexpected(mails.error());
        co_return assemble_series(std::move(*mails), source);
    }
    const auto archived = archived_mail(source, default_archive());
    if (archived)
        co_return co_await read_archive(source, *archived);
    if (source == "-")
        co_return read_stdin();
    if (is_url(source))
        co_return user_error(
            fmt::format("--series {}: neither a Message-ID (<id@host>) nor an archive's URL of one "
                        "(https://lore.kernel.org/LIST/id@host/)",
                        source));
    co_return co_await read_range(std::move(source), repository);
}

} // namespace kmatrix

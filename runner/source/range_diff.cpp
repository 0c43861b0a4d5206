// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/range_diff.h"

#include "base/text.h"
#include "runner/source/argv.h"
#include "runner/source/git_sandbox.h"
#include "runner/source/sources.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

constexpr std::chrono::seconds range_diff_limit{120};

// git's own 60 takes a patch of few lines for another one as soon as one of them changes; of two
// versions of a series they mostly are the same.
constexpr const char* creation_factor = "--creation-factor=90";

// The subject, and the mail's words as far as they would be committed: what stands below "---" is
// for readers of the list.
std::string commit_message(const Patch& patch) {
    std::string message = patch.subject + "\n\n";
    for (const std::string& line : split(patch.letter.text, '\n')) {
        if (line == "---")
            break;
        message += line + "\n";
    }
    return message;
}

} // namespace

asio::awaitable<Result<CommittedSeries>> commit_series(const Cache& cache, Repository repository,
                                                       std::string base, const Series& series) {
    auto steps = co_await apply_each(cache, repository, base, series);
    if (!steps)
        co_return tl::unexpected(std::move(steps.error()));
    CommittedSeries committed{base, base, steps->back().patched.id};
    for (std::size_t i = 0; i < series.patches.size(); ++i) {
        Command command =
            repository.command({"commit-tree", "-p", committed.tip, (*steps)[i].patched.id});
        command.input = commit_message(series.patches[i]);
        auto id = co_await output_of(std::move(command));
        if (!id)
            co_return tl::unexpected(std::move(id.error()));
        committed.tip = trim(*id);
    }
    co_return committed;
}

asio::awaitable<Result<std::string>> range_diff(const Repository& repository, CommittedSeries from,
                                                CommittedSeries to) {
    Command command = repository.command({"range-diff", "--no-color", creation_factor, "--no-notes",
                                          "--no-ext-diff", "--no-textconv",
                                          from.base + ".." + from.tip, to.base + ".." + to.tip});
    command.argv = git_in_sandbox(command.argv, {});
    command.timeout = range_diff_limit;
    auto text = co_await output_of(std::move(command));
    if (!text)
        co_return tl::unexpected(std::move(text.error()));
    co_return printable(*text);
}

} // namespace kmatrix

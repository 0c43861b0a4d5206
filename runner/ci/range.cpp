// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/range.h"

#include <fmt/format.h>

#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

std::string_view how_to_deepen(CiKind kind) {
    switch (kind) {
    case CiKind::github:
        return "give actions/checkout `fetch-depth: 0`";
    case CiKind::gitlab:
        return "give the job the variable `GIT_DEPTH: 0`";
    case CiKind::jenkins:
        return "take \"shallow clone\" off the job's checkout";
    case CiKind::none:
        break;
    }
    return "git fetch --unshallow";
}

asio::awaitable<bool> is_shallow(const Repository& repository) {
    const auto said = co_await repository.git(argv("rev-parse", "--is-shallow-repository"));
    co_return said&& trim(*said) == "true";
}

asio::awaitable<Error> not_there(const Repository& repository, const Change& change, CiKind kind,
                                 std::string what) {
    const bool shallow = co_await is_shallow(repository);
    std::string remedy;
    if (shallow)
        remedy = fmt::format("the checkout is shallow: {}", how_to_deepen(kind));
    else if (!change.fetch.empty())
        remedy = "fetch it before: " + change.fetch;
    else
        remedy = "fetch it before";
    co_return Error{
        Blame::user, fmt::format("{}: {}; {}", repository.tree().string(), what, remedy), {}, {}};
}

// The change's side of a merge with the target; empty if the head is no such merge.
asio::awaitable<Result<std::string>> side_of_merge(const Repository& repository, std::string base,
                                                   std::string head) {
    const auto said = co_await repository.git(argv("rev-list", "--parents", "--max-count=1", head));
    if (!said)
        co_return tl::unexpected(said.error());
    const std::vector<std::string> ids = split(trim(*said), ' ');
    if (ids.size() != 3)
        co_return std::string();
    const auto in_target =
        co_await repository.git(argv("merge-base", "--is-ancestor", ids[1], base));
    co_return in_target ? ids[2] : std::string();
}

} // namespace

asio::awaitable<Result<CommitRange>> find_range(const Repository& repository, Change change,
                                                CiKind kind) {
    CommitRange range;
    const auto base = co_await repository.commit(change.base);
    if (!base)
        co_return tl::unexpected(co_await not_there(
            repository, change, kind, fmt::format("the base {} is not there", change.base)));
    const auto head = co_await repository.commit(change.head);
    if (!head)
        co_return tl::unexpected(co_await not_there(
            repository, change, kind, fmt::format("the head {} is not there", change.head)));
    range.head = *head;
    const auto side = co_await side_of_merge(repository, *base, *head);
    if (!side)
        co_return tl::unexpected(side.error());
    if (!side->empty()) {
        range.notes.push_back(fmt::format("{} merges {} into its target; the latter is what is "
                                          "tested",
                                          head->substr(0, 12), side->substr(0, 12)));
        range.head = *side;
    }
    const auto fork = co_await repository.git(argv("merge-base", *base, range.head));
    if (!fork)
        co_return tl::unexpected(co_await not_there(
            repository, change, kind,
            fmt::format("{} and {} have no commit in common there", change.base, change.head)));
    range.base = std::string(trim(*fork));
    if (range.base == range.head)
        co_return user_error(fmt::format("{}: the head {} is in {} already: there is nothing to "
                                         "test",
                                         repository.tree().string(), change.head, change.base));
    co_return range;
}

} // namespace kmatrix

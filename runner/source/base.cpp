// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/base.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "runner/source/argv.h"
#include "runner/source/blobs.h"
#include "runner/source/fetch_commit.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

std::string shortened(const std::string& commit) {
    return commit.substr(0, 12);
}

asio::awaitable<Result<bool>> find_by_blobs(const Repository& repository,
                                            const std::vector<Branch>& branches,
                                            const Series& series, Base& base) {
    const std::map<std::string, std::string> wanted = blobs_before(series);
    if (std::all_of(wanted.begin(), wanted.end(),
                    [](const auto& one) { return one.second.empty(); })) {
        base.tried.emplace_back("its diffs name no file's blob");
        co_return false;
    }
    auto state = co_await find_state(repository, branches, wanted);
    if (!state)
        co_return tl::unexpected(state.error());
    if (!*state) {
        base.tried.push_back(fmt::format("none of {} branches has, or had of late, the {} files "
                                         "that its diffs name",
                                         branches.size(), wanted.size()));
        co_return false;
    }
    base.commit = (*state)->commit;
    base.how = fmt::format("the baseline is {}, {}, where the files that the series changes are "
                           "those that its diffs name",
                           shortened(base.commit), (*state)->where);
    co_return true;
}

// git patch-id reads a log with patches and says "PATCH-ID COMMIT" for each, in the log's order.
asio::awaitable<Result<std::string>> patch_ids(const Repository& repository,
                                               std::vector<std::string> range) {
    std::vector<std::string> words =
        argv("log", "-p", "--no-merges", "--no-ext-diff", "--no-textconv", "--no-color",
             "--no-renames", "--no-show-signature", "--max-count=500");
    words.insert(words.end(), range.begin(), range.end());
    auto log = co_await repository.git(std::move(words));
    if (!log)
        co_return tl::unexpected(log.error());
    Command command = repository.command({"patch-id", "--stable"});
    command.input = std::move(*log);
    co_return co_await output_of(std::move(command));
}

// The newest of the wanted patches, if all are there; else empty.
std::string newest_of(const std::string& ids, const std::vector<std::string>& wanted) {
    std::set<std::string, std::less<>> missing(wanted.begin(), wanted.end());
    std::string newest;
    for (const std::string& line : split(ids, '\n')) {
        const std::vector<std::string> fields = split(line, ' ');
        if (fields.size() == 2 && missing.erase(fields[0]) > 0 && newest.empty())
            newest = fields[1];
    }
    return missing.empty() ? newest : std::string();
}

asio::awaitable<Result<bool>> find_by_prerequisites(const Repository& repository,
                                                    const std::vector<Branch>& branches,
                                                    const Series& series, bool has_base,
                                                    Base& base) {
    for (const Branch& branch : branches) {
        std::vector<std::string> range = {branch.commit};
        if (has_base)
            range.push_back("^" + series.base_commit);
        auto ids = co_await patch_ids(repository, std::move(range));
        if (!ids)
            co_return tl::unexpected(ids.error());
        std::string newest = newest_of(*ids, series.prerequisites);
        if (newest.empty())
            continue;
        base.how =
            fmt::format("the baseline is {}, in {} the last of the {} patches that the series "
                        "names as its prerequisites",
                        shortened(newest), branch.name, series.prerequisites.size());
        base.commit = std::move(newest);
        co_return true;
    }
    base.tried.push_back(fmt::format("none of {} branches has its {} prerequisite patches",
                                     branches.size(), series.prerequisites.size()));
    co_return false;
}

Base base_of(std::string commit, std::string_view why) {
    Base base;
    base.how = fmt::format("the baseline is {}, {}", shortened(commit), why);
    base.commit = std::move(commit);
    return base;
}

} // namespace

asio::awaitable<Result<Base>> find_base(const Repository& repository, const Series& series,
                                        std::string named) {
    // A range says by itself what it is on.
    const bool is_plain = !named.empty() || series.is_range || series.patches.empty();
    if (is_plain) {
        std::string revision = "HEAD";
        std::string why = "the tree's HEAD";
        if (!named.empty()) {
            revision = named;
            why = "which was named with --base";
        } else if (series.is_range) {
            revision = series.base_commit;
            why = "where the range begins";
        }
        auto commit = co_await repository.commit(revision);
        if (!commit)
            co_return tl::unexpected(commit.error());
        co_return base_of(std::move(*commit), why);
    }
    auto branches = co_await repository.branches();
    if (!branches)
        co_return tl::unexpected(branches.error());
    Base base;
    Result<std::string> told = std::string();
    if (!series.base_commit.empty())
        told = co_await repository.commit_in_tree(series.base_commit);
    const bool has_base = told && !told->empty();
    if (!series.prerequisites.empty()) {
        auto found = co_await find_by_prerequisites(repository, *branches, series, has_base, base);
        if (!found)
            co_return tl::unexpected(found.error());
        if (*found)
            co_return base;
    }
    if (has_base) {
        Base footer = base_of(*told, "which the series' base-commit line names");
        footer.tried = std::move(base.tried);
        co_return footer;
    }
    if (series.base_commit.empty()) {
        base.tried.emplace_back("it has no base-commit line");
    } else {
        auto fetched = co_await fetch_commit(repository, series.base_commit);
        if (!fetched)
            co_return tl::unexpected(fetched.error());
        if (!fetched->from.empty()) {
            const std::string why =
                fmt::format("which the series' base-commit line names; the tree does not have it, "
                            "and kmatrix fetched it from {}",
                            fetched->from);
            Base footer = base_of(series.base_commit, why);
            footer.tried = std::move(base.tried);
            co_return footer;
        }
        base.tried.push_back(fmt::format("its base-commit {} is not in the tree ({})",
                                         shortened(series.base_commit),
                                         join(fetched->tried, "; ")));
    }
    auto found = co_await find_by_blobs(repository, *branches, series, base);
    if (!found)
        co_return tl::unexpected(found.error());
    if (*found)
        co_return base;
    Base head = base_of(branches->front().commit, "the tree's HEAD, for want of a better");
    head.tried = std::move(base.tried);
    co_return head;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/blobs.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

constexpr std::size_t most_paths = 500;
constexpr const char* most_commits = "3000";

std::vector<std::string> paths_of(const std::map<std::string, std::string>& wanted) {
    std::vector<std::string> paths = {"--"};
    for (const auto& [path, blob] : wanted)
        if (paths.size() <= most_paths)
            paths.push_back(path);
    return paths;
}

// "100644 blob 0123...<TAB>path", each ended by a NUL.
asio::awaitable<Result<Blobs>> blobs_of(const Repository& repository, std::string commit,
                                        std::vector<std::string> paths) {
    std::vector<std::string> words = argv("ls-tree", "-z", "--full-tree", commit);
    words.insert(words.end(), paths.begin(), paths.end());
    auto listed = co_await repository.git(std::move(words));
    if (!listed)
        co_return tl::unexpected(listed.error());
    Blobs blobs;
    for (const std::string& line : split(*listed, '\0')) {
        const std::size_t tab = line.find('\t');
        const std::vector<std::string> fields = split(line.substr(0, tab), ' ');
        if (tab != std::string::npos && fields.size() == 3)
            blobs[line.substr(tab + 1)] = fields[2];
    }
    co_return blobs;
}

// Goes back through what `git log --raw -z` tells, from a branch's tip: the first state in which
// the files are as wanted, as the id of the commit whose parent has it. Records are "commit ID",
// then
// ":100644 100644 OLD NEW M" and a path for each file.
std::string undone_until(const std::map<std::string, std::string>& wanted, Blobs state,
                         std::string_view log) {
    std::string commit;
    const std::vector<std::string> words = split(log, '\0');
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = trim(words[i]);
        if (word.starts_with("commit ")) {
            if (!commit.empty() && agrees(wanted, state))
                return commit;
            commit = word.substr(7);
        } else if (word.starts_with(':') && i + 1 < words.size()) {
            const std::vector<std::string> fields = split(word, ' ');
            const std::string& path = words[++i];
            if (fields.size() < 5)
                continue;
            if (fields[2].find_first_not_of('0') == std::string::npos)
                state.erase(path);
            else
                state[path] = fields[2];
        }
    }
    return !commit.empty() && agrees(wanted, state) ? commit : std::string();
}

asio::awaitable<Result<std::string>> earlier_state(const Repository& repository,
                                                   const Branch& branch,
                                                   const std::map<std::string, std::string>& wanted,
                                                   Blobs tip) {
    const std::string skip = std::string("--skip=") + most_commits;
    auto oldest = co_await repository.git(
        argv("rev-list", "--first-parent", "--max-count=1", skip, branch.commit));
    if (!oldest)
        co_return tl::unexpected(oldest.error());
    std::vector<std::string> words =
        argv("log", "-z", "--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev",
             "--no-renames", "--no-ext-diff", "--no-show-signature", "--max-count=500",
             "--format=commit %H", branch.commit);
    if (const std::string_view end = trim(*oldest); !end.empty())
        words.push_back("^" + std::string(end));
    const std::vector<std::string> paths = paths_of(wanted);
    words.insert(words.end(), paths.begin(), paths.end());
    auto log = co_await repository.git(std::move(words));
    if (!log)
        co_return tl::unexpected(log.error());
    const std::string newer = undone_until(wanted, std::move(tip), *log);
    if (newer.empty())
        co_return std::string();
    auto parent = co_await repository.git(argv("rev-parse", "--verify", "--quiet", newer + "^1"));
    co_return parent ? std::string(trim(*parent)) : std::string();
}

} // namespace

std::map<std::string, std::string> blobs_before(const Series& series) {
    std::map<std::string, std::string> blobs;
    std::set<std::string> seen;
    for (const Patch& patch : series.patches)
        for (const FileDiff& file : patch.files) {
            const std::string& path = file.old_path.empty() ? file.new_path : file.old_path;
            if (seen.insert(path).second && (file.old_path.empty() || !file.old_blob.empty()))
                blobs[path] = file.old_path.empty() ? std::string() : file.old_blob;
            seen.insert(file.new_path);
        }
    return blobs;
}

bool agrees(const std::map<std::string, std::string>& wanted, const Blobs& there) {
    std::size_t compared = 0;
    for (const auto& [path, blob] : wanted) {
        if (++compared > most_paths)
            return true;
        const auto found = there.find(path);
        if (blob.empty() ? found != there.end()
                         : found == there.end() || !found->second.starts_with(blob))
            return false;
    }
    return true;
}

asio::awaitable<Result<std::optional<State>>>
find_state(const Repository& repository, std::vector<Branch> branches,
           std::map<std::string, std::string> wanted) {
    std::vector<Blobs> tips;
    tips.reserve(branches.size());
    for (const Branch& branch : branches) {
        auto tip = co_await blobs_of(repository, branch.commit, paths_of(wanted));
        if (!tip)
            co_return tl::unexpected(tip.error());
        if (agrees(wanted, *tip))
            co_return State{branch.commit, branch.name};
        tips.push_back(std::move(*tip));
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
        auto commit = co_await earlier_state(repository, branches[i], wanted, std::move(tips[i]));
        if (!commit)
            co_return tl::unexpected(commit.error());
        if (!commit->empty())
            co_return State{*commit, "an earlier state of " + branches[i].name};
    }
    co_return std::nullopt;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/fetch_commit.h"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

constexpr std::chrono::seconds fetching_limit{300};

// Below refs, so that no gc takes it for garbage.
std::string fetched_ref(const std::string& id) {
    return "refs/fetched/" + id;
}

// The last line in which git says why.
std::string words_of_fetch(const Exit& exit) {
    if (exit.timed_out)
        return "did not answer in time";
    std::string words = "git fetch failed";
    for (const std::string& line : split(printable(exit.tail), '\n'))
        for (const std::string_view start : {"fatal: ", "error: ", "fatal: remote error: "})
            if (line.starts_with(start))
                words = line.substr(start.size());
    return words;
}

Command fetch_from(const Repository& repository, const Remote& remote, const std::string& id,
                   const std::vector<Branch>& have) {
    std::vector<std::string> words;
    for (const char* protocol : {"file", "git", "http", "https", "ssh"})
        words.insert(words.end(), {"-c", fmt::format("protocol.{}.allow=always", protocol)});
    words.insert(words.end(), {"-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30",
                               "fetch", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
                               "--no-recurse-submodules", "--refmap="});
    // Only what the tree lacks comes over.
    for (const Branch& branch : have)
        words.push_back("--negotiation-tip=" + branch.commit);
    words.insert(words.end(), {"--", remote.url, fmt::format("+{}:{}", id, fetched_ref(id))});
    Command command = repository.command(std::move(words));
    command.environment.emplace_back("GIT_SSH_COMMAND=ssh -o BatchMode=yes -o ConnectTimeout=20");
    for (const char* name : {"SSH_AUTH_SOCK", "http_proxy", "https_proxy", "all_proxy", "no_proxy"})
        if (const char* value = std::getenv(name))
            command.environment.push_back(fmt::format("{}={}", name, value));
    return command;
}

} // namespace

asio::awaitable<Result<FetchedCommit>> fetch_commit(const Repository& repository, std::string id) {
    FetchedCommit fetched;
    if (id.size() != 40 && id.size() != 64) {
        fetched.tried.emplace_back("an abbreviated id cannot be fetched");
        co_return fetched;
    }
    const std::string ref = fetched_ref(id);
    const auto earlier = co_await repository.git(argv("rev-parse", "--verify", "--quiet", ref));
    if (earlier) {
        fetched.from = "a remote of the tree, before";
        co_return fetched;
    }
    if (repository.is_shallow()) {
        fetched.tried.emplace_back(
            "the tree is a shallow clone, for which kmatrix fetches nothing");
        co_return fetched;
    }
    const auto remotes = co_await repository.remotes();
    if (!remotes)
        co_return tl::unexpected(remotes.error());
    const auto have = co_await repository.branches();
    if (!have)
        co_return tl::unexpected(have.error());
    if (remotes->empty())
        fetched.tried.emplace_back("the tree has no remote to fetch it from");
    const auto end = std::chrono::steady_clock::now() + fetching_limit;
    for (const Remote& remote : *remotes) {
        const auto left = std::chrono::duration_cast<std::chrono::seconds>(
            end - std::chrono::steady_clock::now());
        if (left.count() <= 0) {
            fetched.tried.push_back(remote.name + ": not asked: no time was left");
            continue;
        }
        Command command = fetch_from(repository, remote, id, *have);
        command.timeout = left;
        const auto exit = co_await run(std::move(command));
        if (!exit)
            co_return tl::unexpected(exit.error());
        if (exit->ok()) {
            fetched.from = remote.name;
            co_return fetched;
        }
        fetched.tried.push_back(fmt::format("{}: {}", remote.name, words_of_fetch(*exit)));
    }
    co_return fetched;
}

} // namespace kmatrix

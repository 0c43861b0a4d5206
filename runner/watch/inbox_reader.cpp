// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/inbox_reader.h"

#include <fmt/format.h>

namespace kmatrix::watch {
namespace asio = boost::asio;
namespace {

constexpr std::size_t commits_at_once = 50'000; // 40 digits each

} // namespace

// Without from_epoch, what is there already is not read: the newest epoch is found, and its last
// commit remembered.
asio::awaitable<Result<Position>> InboxReader::begin(const InboxConfig& inbox, const Mirror& mirror,
                                                     Position position) const {
    if (inbox.from_epoch) {
        position.epoch = *inbox.from_epoch;
        co_return position;
    }
    for (int epoch = 0;; ++epoch) {
        const auto fetched = co_await mirror.fetch(epoch, true);
        if (!fetched)
            co_return tl::unexpected(fetched.error());
        if (*fetched == Fetched::none)
            break;
        position.epoch = epoch;
        position.commit.clear();
        if (*fetched == Fetched::yes) {
            auto tip = co_await mirror.tip(epoch);
            if (!tip)
                co_return tl::unexpected(std::move(tip.error()));
            position.commit = std::move(*tip);
        }
    }
    if (position.epoch < 0)
        co_return user_error(
            fmt::format("{}: no public-inbox: there is no {}/git/0.git", inbox.name, inbox.url));
    if (auto saved = queue_.save(inbox.name, position); !saved)
        co_return tl::unexpected(std::move(saved.error()));
    say_(fmt::format("{}: watching from now on (epoch {})", inbox.name, position.epoch));
    co_return position;
}

// The mails and how far they reach, in one transaction.
Result<void> InboxReader::take(const InboxConfig& inbox, const std::vector<std::string>& mails,
                               const Position& position) const {
    std::vector<std::string> said;
    Intake intake(config_, queue_, said);
    auto transaction = queue_.begin();
    if (!transaction)
        return tl::unexpected(std::move(transaction.error()));
    for (const std::string& text : mails) {
        if (text.empty())
            continue;
        if (auto taken = intake.take(inbox.name, parse_mail(text), clock_.now_s()); !taken)
            return taken;
    }
    if (auto saved = queue_.save(inbox.name, position); !saved)
        return saved;
    if (auto committed = transaction->commit(); !committed)
        return committed;
    for (const std::string& sentence : said)
        say_(sentence);
    return {};
}

asio::awaitable<Result<std::size_t>>
InboxReader::read_epoch(const InboxConfig& inbox, const Mirror& mirror, Position& position) const {
    const auto fetched = co_await mirror.fetch(position.epoch, false);
    if (!fetched)
        co_return tl::unexpected(fetched.error());
    if (*fetched == Fetched::none)
        co_return infrastructure_error(
            fmt::format("{}: there is no epoch {} at {}", inbox.name, position.epoch, inbox.url));
    std::size_t count = 0;
    if (*fetched == Fetched::empty)
        co_return count;
    if (!position.commit.empty()) {
        const auto known = co_await mirror.has(position.commit);
        if (!known)
            co_return tl::unexpected(known.error());
        if (!*known) {
            say_(fmt::format("{}: epoch {} was written anew; it is read from its beginning, and "
                             "what is known already is passed over",
                             inbox.name, position.epoch));
            position.commit.clear();
        }
    }
    for (;;) {
        const auto commits =
            co_await mirror.commits(position.epoch, position.commit, commits_at_once);
        if (!commits)
            co_return tl::unexpected(commits.error());
        if (commits->empty())
            co_return count;
        for (std::size_t from = 0; from < commits->size();) {
            const auto mails = co_await mirror.mails(*commits, from);
            if (!mails)
                co_return tl::unexpected(mails.error());
            from += mails->size();
            position.commit = commits->at(from - 1);
            if (auto taken = take(inbox, *mails, position); !taken)
                co_return tl::unexpected(std::move(taken.error()));
            count += mails->size();
        }
    }
}

asio::awaitable<Result<std::size_t>> InboxReader::read(const InboxConfig& inbox) const {
    const auto mirror = co_await Mirror::open(config_.directory / "inboxes" / (inbox.name + ".git"),
                                              inbox, config_.contact);
    if (!mirror)
        co_return tl::unexpected(mirror.error());
    auto position = queue_.position(inbox.name);
    if (position && position->epoch < 0)
        position = co_await begin(inbox, *mirror, *position);
    if (!position)
        co_return tl::unexpected(std::move(position.error()));
    std::size_t count = 0;
    for (;;) {
        auto read = co_await read_epoch(inbox, *mirror, *position);
        if (!read)
            co_return read;
        count += *read;
        const auto next = co_await mirror->fetch(position->epoch + 1, false);
        if (!next)
            co_return tl::unexpected(next.error());
        if (*next != Fetched::yes)
            co_return count;
        // The last mails of this epoch may have come after it was read.
        read = co_await read_epoch(inbox, *mirror, *position);
        if (!read)
            co_return read;
        count += *read;
        ++position->epoch;
        position->commit.clear();
        if (auto saved = queue_.save(inbox.name, *position); !saved)
            co_return tl::unexpected(std::move(saved.error()));
        say_(fmt::format("{}: going on with epoch {}", inbox.name, position->epoch));
    }
}

} // namespace kmatrix::watch

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/watch.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "runner/watch/inbox_reader.h"
#include "runner/watch/intake.h"

namespace kmatrix::watch {
namespace asio = boost::asio;
namespace {

// A cancellation that comes between two commands: run() keeps co_await from throwing for it.
asio::awaitable<void> stop_if_cancelled() {
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

} // namespace

std::filesystem::path queue_file(const WatchConfig& config) {
    return config.directory / "queue.sqlite";
}

Watch::Watch(const WatchConfig& config, Surroundings surroundings, FileLock lock, Queue queue,
             const asio::any_io_executor& executor)
    : config_(config), around_(std::move(surroundings)), lock_(std::move(lock)),
      queue_(std::move(queue)),
      worker_(config_, queue_, around_.clock, around_.kmatrix, around_.say, around_.execute),
      work_(executor) {}

Result<std::unique_ptr<Watch>> Watch::open(const WatchConfig& config, Surroundings surroundings,
                                           asio::any_io_executor executor) {
    auto lock = FileLock::try_take(config.directory / "lock");
    if (!lock)
        return tl::unexpected(
            std::move(lock.error())
                .in(fmt::format("{}: another watch is at work here", config.directory.string())));
    auto queue = Queue::open(queue_file(config));
    if (!queue)
        return tl::unexpected(std::move(queue.error()));
    std::unique_ptr<Watch> watch(
        new Watch(config, std::move(surroundings), std::move(*lock), std::move(*queue), executor));
    for (const InboxConfig& inbox : config.inboxes) {
        const auto position = watch->queue_.position(inbox.name);
        if (!position)
            return tl::unexpected(position.error());
        watch->due_s_[inbox.name] =
            position->polled_s == 0 ? 0 : next_poll_s(*position, config.interval_s, 0);
    }
    return watch;
}

asio::awaitable<Result<void>> Watch::poll(const InboxConfig& inbox, std::string& failures) {
    // First of all, so that no crash makes it ask again at once.
    auto position = queue_.position(inbox.name);
    if (!position)
        co_return tl::unexpected(std::move(position.error()));
    position->polled_s = around_.clock.now_s();
    if (auto saved = queue_.save(inbox.name, *position); !saved)
        co_return saved;
    const InboxReader reader(config_, queue_, around_.clock, around_.say);
    const auto read = co_await reader.read(inbox);
    position = queue_.position(inbox.name);
    if (!position)
        co_return tl::unexpected(std::move(position.error()));
    position->failures = read ? 0 : position->failures + 1;
    due_s_[inbox.name] = next_poll_s(*position, config_.interval_s, around_.clock.chance());
    if (!read) {
        const std::string text =
            fmt::format("{}: cannot be read: {}", inbox.name, read.error().text());
        const std::int64_t pause_s = due_s_[inbox.name] - around_.clock.now_s();
        around_.say(
            fmt::format("{}; again in {}", text,
                        duration_text(static_cast<double>(std::max<std::int64_t>(pause_s, 0)))));
        failures += (failures.empty() ? "" : "\n") + text;
    } else if (*read > 0) {
        around_.say(fmt::format("{}: {} new mail{}", inbox.name, *read, *read == 1 ? "" : "s"));
    }
    co_return queue_.save(inbox.name, *position);
}

Result<void> Watch::expire() {
    std::vector<std::string> said;
    Intake intake(config_, queue_, said);
    auto transaction = queue_.begin();
    if (!transaction)
        return tl::unexpected(std::move(transaction.error()));
    if (auto expired = intake.expire(around_.clock.now_s()); !expired)
        return expired;
    if (auto committed = transaction->commit(); !committed)
        return committed;
    for (const std::string& sentence : said)
        around_.say(sentence);
    return {};
}

// When there is something to do next but what comes of itself: an inbox is due, a series waited too
// long, a run may be tried again.
Result<std::int64_t> Watch::next_event_s() {
    std::int64_t next_s = around_.clock.now_s() + longest_pause_s;
    for (const auto& [inbox, due_s] : due_s_)
        next_s = std::min(next_s, due_s);
    std::vector<std::string> said;
    const auto expiry_s = Intake(config_, queue_, said).next_expiry_s();
    if (!expiry_s)
        return tl::unexpected(expiry_s.error());
    next_s = std::min(next_s, expiry_s->value_or(next_s));
    const auto queued = queue_.queued(around_.clock.now_s());
    if (!queued)
        return tl::unexpected(queued.error());
    for (const Entry& entry : *queued)
        if (entry.not_before_s > around_.clock.now_s())
            next_s = std::min(next_s, entry.not_before_s);
    return next_s;
}

asio::awaitable<Result<void>> Watch::poll_loop() {
    for (;;) {
        co_await stop_if_cancelled();
        std::string failures; // said already
        for (const InboxConfig& inbox : config_.inboxes)
            if (due_s_[inbox.name] <= around_.clock.now_s())
                if (auto polled = co_await poll(inbox, failures); !polled)
                    co_return polled;
        if (auto expired = expire(); !expired)
            co_return expired;
        work_.cancel();
        const auto next_s = next_event_s();
        if (!next_s)
            co_return tl::unexpected(next_s.error());
        co_await around_.clock.sleep_until(*next_s);
    }
}

asio::awaitable<Result<void>> Watch::work_loop() {
    for (;;) {
        co_await stop_if_cancelled();
        const auto did = co_await worker_.step();
        if (!did)
            co_return tl::unexpected(did.error());
        if (*did)
            continue;
        work_.expires_at(std::chrono::steady_clock::time_point::max());
        co_await work_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

asio::awaitable<Result<void>> Watch::forever() {
    using asio::experimental::awaitable_operators::operator||;
    auto ended = co_await (poll_loop() || work_loop());
    co_return std::visit([](auto& result) { return std::move(result); }, ended);
}

asio::awaitable<Result<void>> Watch::once() {
    std::string failures;
    for (const InboxConfig& inbox : config_.inboxes) {
        const std::int64_t early_s = due_s_[inbox.name] - around_.clock.now_s();
        if (inbox.is_remote() && early_s > 0) {
            around_.say(fmt::format("{}: was asked lately, and may be again in {}", inbox.name,
                                    duration_text(static_cast<double>(early_s))));
            continue;
        }
        if (auto polled = co_await poll(inbox, failures); !polled)
            co_return polled;
    }
    if (auto expired = expire(); !expired)
        co_return expired;
    for (;;) {
        co_await stop_if_cancelled();
        const auto did = co_await worker_.step();
        if (!did)
            co_return tl::unexpected(did.error());
        if (!*did)
            break;
    }
    if (!failures.empty())
        co_return infrastructure_error(failures);
    co_return Result<void>{};
}

} // namespace kmatrix::watch

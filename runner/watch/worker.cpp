// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/worker.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "results/store.h"
#include "runner/series/series.h"
#include "runner/watch/jobs.h"

namespace kmatrix::watch {
namespace asio = boost::asio;
namespace {

// A run that failed for a reason of our own is tried so often, each time later.
constexpr int most_attempts = 3;
constexpr std::int64_t first_pause_s = 30 * 60;

// Exit statuses of `kmatrix run` with which the series was tested: as wanted, or regressed.
bool is_tested(const Exit& exit) {
    return exit.signal == 0 && !exit.timed_out && (exit.status == 0 || exit.status == 1);
}

std::string last_line(const Exit& exit) {
    return last_lines(std::string(trim(printable(exit.tail))), 1);
}

Result<void> write_series(const Entry& entry, const std::vector<StoredMail>& stored) {
    std::vector<SeriesMail> mails;
    mails.reserve(stored.size());
    for (const StoredMail& mail : stored)
        mails.push_back({parse_mail(mail.raw), "mail " + mail.message_id});
    return assemble_series(std::move(mails), entry.inbox).and_then([&](const Series& series) {
        return write_file(series_file(entry), series.mbox);
    });
}

} // namespace

Result<bool> Worker::save(Entry& entry, State state) {
    entry.state = state;
    entry.changed_s = clock_.now_s();
    return queue_.save(entry).map([] { return true; });
}

// Its mails are on disk before it counts as begun, and are forgotten then. A directory that a crash
// left behind before that is the same one.
Result<bool> Worker::begin(Entry& entry) {
    auto transaction = queue_.begin();
    if (!transaction)
        return tl::unexpected(std::move(transaction.error()));
    if (entry.directory.empty()) {
        entry.directory = config_.directory / "runs" / directory_name(entry);
        const auto written = queue_.mails(entry.id).and_then(
            [&](const std::vector<StoredMail>& mails) { return write_series(entry, mails); });
        if (!written)
            return tl::unexpected(written.error());
        if (auto forgotten = queue_.forget_raw(entry.id); !forgotten)
            return tl::unexpected(std::move(forgotten.error()));
    }
    ++entry.attempts;
    entry.reason.clear();
    if (auto saved = save(entry, State::running); !saved)
        return saved;
    return transaction->commit().map([] { return true; });
}

Result<bool> Worker::not_tested(Entry entry, const std::string& why, bool again) {
    entry.reason = why;
    if (!again || entry.attempts >= most_attempts) {
        say_(fmt::format("{} was not tested: {} ({})", name_of(entry), why, entry.directory));
        return save(entry, State::failed);
    }
    const std::int64_t pause_s = first_pause_s << (entry.attempts - 1);
    entry.not_before_s = clock_.now_s() + pause_s;
    say_(fmt::format("{} was not tested: {}; again in {} ({})", name_of(entry), why,
                     duration_text(static_cast<double>(pause_s)), entry.directory));
    return save(entry, State::queued);
}

asio::awaitable<Result<bool>> Worker::run(Entry entry) {
    const bool is_begun = is_run(entry.directory);
    say_(fmt::format("{}: {} in {}", name_of(entry), is_begun ? "resumed" : "begun",
                     entry.directory));
    Command command = run_command(config_, entry, kmatrix_, is_begun);
    const auto exit = co_await execute_(std::move(command));
    if (!exit)
        co_return not_tested(std::move(entry), exit.error().message, true);
    entry.status = exit->status;
    if (exit->timed_out)
        co_return not_tested(std::move(entry),
                             fmt::format("it did not end within {}",
                                         duration_text(static_cast<double>(config_.run.timeout_s))),
                             false);
    if (!is_tested(*exit)) {
        const std::string why = fmt::format("exit status {}: {}", exit->status, last_line(*exit));
        constexpr int users_fault = 2; // it does not apply: nor will it the next time
        co_return not_tested(std::move(entry), why, exit->status != users_fault);
    }
    co_return save(entry, State::ended);
}

asio::awaitable<Result<bool>> Worker::finish(Entry entry) {
    Command reply = reply_command(entry, kmatrix_);
    const auto drafted = co_await execute_(std::move(reply));
    entry.reason.clear();
    if (!drafted || !drafted->ok())
        entry.reason =
            "no draft of a reply: " + (drafted ? last_line(*drafted) : drafted.error().message);
    if (!config_.publish.command.empty()) {
        Command publish = publish_command(config_, entry);
        const auto published = co_await execute_(std::move(publish));
        if (!published || !published->ok())
            entry.reason += (entry.reason.empty() ? "" : "; ") + std::string("not published: ") +
                            (published ? fmt::format("exit status {}: {}", published->status,
                                                     last_line(*published))
                                       : published.error().message);
    }
    say_(fmt::format("{}: {}{}{} ({})", name_of(entry),
                     entry.status == 0 ? "as wanted" : "REGRESSED",
                     entry.reason.empty() ? "" : "; ", entry.reason, entry.directory));
    co_return save(entry, State::done);
}

asio::awaitable<Result<bool>> Worker::step() {
    for (const State state : {State::ended, State::running}) {
        auto interrupted = queue_.entries({state});
        if (!interrupted)
            co_return tl::unexpected(std::move(interrupted.error()));
        if (interrupted->empty())
            continue;
        if (state == State::ended)
            co_return co_await finish(interrupted->front());
        co_return co_await run(interrupted->front());
    }
    auto queued = queue_.queued(clock_.now_s());
    if (!queued)
        co_return tl::unexpected(std::move(queued.error()));
    if (queued->empty() || queued->front().not_before_s > clock_.now_s())
        co_return false;
    Entry entry = std::move(queued->front());
    if (auto begun = begin(entry); !begun)
        co_return begun;
    co_return co_await run(std::move(entry));
}

} // namespace kmatrix::watch

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/queue.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace kmatrix::watch {
namespace {

constexpr int timeout_ms = 10'000;
constexpr std::int64_t schema_version = 1;

constexpr const char* schema = R"(
CREATE TABLE inbox (
    name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, commit_id TEXT NOT NULL,
    polled INTEGER NOT NULL, failures INTEGER NOT NULL);
CREATE TABLE series (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    inbox TEXT NOT NULL, sender TEXT NOT NULL, version INTEGER NOT NULL, total INTEGER NOT NULL,
    state TEXT NOT NULL, subject TEXT NOT NULL, message_id TEXT NOT NULL, change_id TEXT NOT NULL,
    refs TEXT NOT NULL, digest TEXT NOT NULL, rule TEXT NOT NULL, priority INTEGER NOT NULL,
    reason TEXT NOT NULL, directory TEXT NOT NULL, status INTEGER NOT NULL,
    attempts INTEGER NOT NULL, bytes INTEGER NOT NULL, changed INTEGER NOT NULL,
    not_before INTEGER NOT NULL);
CREATE INDEX series_by_state ON series (state);
CREATE INDEX series_by_message_id ON series (message_id);
CREATE INDEX series_by_digest ON series (digest);
CREATE INDEX series_by_sender ON series (sender);
CREATE TABLE mail (
    inbox TEXT NOT NULL, message_id TEXT NOT NULL, sender TEXT NOT NULL, parent TEXT NOT NULL,
    series INTEGER NOT NULL, number INTEGER NOT NULL, raw BLOB,
    PRIMARY KEY (inbox, message_id));
CREATE INDEX mail_by_parent ON mail (inbox, parent);
CREATE INDEX mail_by_series ON mail (series);
PRAGMA user_version = 1;
)";

constexpr const char* columns =
    "series.id, series.inbox, series.sender, series.version, series.total, series.state, "
    "series.subject, series.message_id, series.change_id, series.refs, series.digest, series.rule, "
    "series.priority, series.reason, series.directory, series.status, series.attempts, "
    "series.bytes, series.changed, series.not_before";

constexpr std::array all_states = {std::pair{State::waiting, "waiting"},
                                   std::pair{State::queued, "queued"},
                                   std::pair{State::running, "running"},
                                   std::pair{State::ended, "ended"},
                                   std::pair{State::done, "done"},
                                   std::pair{State::failed, "failed"},
                                   std::pair{State::superseded, "superseded"},
                                   std::pair{State::known, "known"},
                                   std::pair{State::refused, "refused"},
                                   std::pair{State::incomplete, "incomplete"},
                                   std::pair{State::unmatched, "unmatched"}};

State state_of(std::string_view word) {
    for (const auto& [state, name] : all_states)
        if (word == name)
            return state;
    return State::failed;
}

Entry entry_of(const sqlite::Statement& row) {
    const auto number = [&](int column) { return static_cast<int>(row.integer(column)); };
    Entry entry;
    entry.id = row.integer(0);
    entry.inbox = row.text(1);
    entry.sender = row.text(2);
    entry.version = number(3);
    entry.total = number(4);
    entry.state = state_of(row.text(5));
    entry.subject = row.text(6);
    entry.message_id = row.text(7);
    entry.change_id = row.text(8);
    entry.references = row.text(9);
    entry.digest = row.text(10);
    entry.rule = row.text(11);
    entry.priority = number(12);
    entry.reason = row.text(13);
    entry.directory = row.text(14);
    entry.status = number(15);
    entry.attempts = number(16);
    entry.bytes = row.integer(17);
    entry.changed_s = row.integer(18);
    entry.not_before_s = row.integer(19);
    return entry;
}

// Parameters 2 to 20, in the order of the columns.
void bind(sqlite::Statement& statement, const Entry& entry) {
    int parameter = 2;
    const auto text = [&](std::string_view value) { statement.bind(parameter++, value); };
    const auto number = [&](std::int64_t value) { statement.bind(parameter++, value); };
    text(entry.inbox);
    text(entry.sender);
    number(entry.version);
    number(entry.total);
    text(to_string(entry.state));
    text(entry.subject);
    text(entry.message_id);
    text(entry.change_id);
    text(entry.references);
    text(entry.digest);
    text(entry.rule);
    number(entry.priority);
    text(entry.reason);
    text(entry.directory);
    number(entry.status);
    number(entry.attempts);
    number(entry.bytes);
    number(entry.changed_s);
    number(entry.not_before_s);
}

std::string list_of(const std::vector<State>& states) {
    std::string list;
    for (const State state : states)
        list += fmt::format("{}'{}'", list.empty() ? "" : ", ", to_string(state));
    return list;
}

} // namespace

std::string_view to_string(State state) {
    for (const auto& [other, name] : all_states)
        if (state == other)
            return name;
    return "failed";
}

std::string name_of(const Entry& entry) {
    return fmt::format("\"{}\" of {}{}", entry.subject, entry.sender,
                       entry.message_id.empty() ? "" : fmt::format(" <{}>", entry.message_id));
}

Result<Queue> Queue::open(const std::filesystem::path& file) {
    auto database = sqlite::Database::open(file, timeout_ms);
    if (!database)
        return tl::unexpected(std::move(database.error()));
    // Where there is no shared memory the older journal stays, which is as safe.
    static_cast<void>(database->execute("PRAGMA journal_mode = WAL"));
    // A power failure may take the last changes away, and never a part of one: what was read is
    // read again then, and what was begun is found in its directory.
    static_cast<void>(database->execute("PRAGMA synchronous = NORMAL"));
    if (auto made = sqlite::require_schema(*database, file, schema, schema_version); !made)
        return tl::unexpected(std::move(made.error()));
    return Queue(std::move(*database));
}

Result<Position> Queue::position(const std::string& inbox) {
    auto statement =
        database_.prepare("SELECT epoch, commit_id, polled, failures FROM inbox WHERE name = ?1");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    const auto row = statement->bind(1, inbox).step();
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return Position{};
    return Position{static_cast<int>(statement->integer(0)), statement->text(1),
                    statement->integer(2), static_cast<int>(statement->integer(3))};
}

Result<void> Queue::save(const std::string& inbox, const Position& position) {
    auto statement = database_.prepare("INSERT OR REPLACE INTO inbox VALUES (?1, ?2, ?3, ?4, ?5)");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, inbox).bind(2, std::int64_t{position.epoch}).bind(3, position.commit);
    statement->bind(4, position.polled_s).bind(5, std::int64_t{position.failures});
    return statement->run();
}

Result<std::int64_t> Queue::add(const Entry& entry) {
    auto statement = database_.prepare(
        "INSERT INTO series VALUES (NULLIF(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
        "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20) RETURNING id");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, std::int64_t{0});
    bind(*statement, entry);
    const auto row = statement->step();
    if (!row)
        return tl::unexpected(row.error());
    const std::int64_t id = statement->integer(0);
    if (auto finished = statement->run(); !finished)
        return tl::unexpected(std::move(finished.error()));
    return id;
}

Result<void> Queue::save(const Entry& entry) {
    auto statement = database_.prepare(
        "INSERT OR REPLACE INTO series VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
        "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, entry.id);
    bind(*statement, entry);
    return statement->run();
}

Result<void> Queue::remove(std::int64_t id) {
    auto statement = database_.prepare("DELETE FROM series WHERE id = ?1");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    return statement->bind(1, id).run();
}

Result<std::vector<Entry>> Queue::select(const std::string& clauses,
                                         const std::vector<std::string>& values) {
    auto statement =
        database_.prepare(fmt::format("SELECT {} FROM series {}", columns, clauses).c_str());
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    for (std::size_t i = 0; i < values.size(); ++i)
        statement->bind(static_cast<int>(i) + 1, values[i]);
    std::vector<Entry> entries;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return entries;
        entries.push_back(entry_of(*statement));
    }
}

Result<std::optional<Entry>> Queue::entry(std::int64_t id) {
    auto found = select(fmt::format("WHERE id = {}", id), {});
    if (!found)
        return tl::unexpected(std::move(found.error()));
    return found->empty() ? std::nullopt : std::optional(std::move(found->front()));
}

Result<std::vector<Entry>> Queue::entries(const std::vector<State>& states) {
    return select(fmt::format("WHERE state IN ({}) ORDER BY id", list_of(states)), {});
}

Result<std::vector<Entry>> Queue::latest(const std::vector<State>& states, int count) {
    return select(fmt::format("WHERE state IN ({}) ORDER BY changed DESC, id DESC LIMIT {}",
                              list_of(states), count),
                  {});
}

Result<std::vector<Entry>> Queue::queued(std::int64_t now_s) {
    return select(fmt::format("WHERE state = 'queued' ORDER BY not_before > {}, priority DESC, "
                              "version DESC, id",
                              now_s),
                  {});
}

Result<std::vector<Entry>> Queue::with_message_id(const std::string& message_id) {
    return select(fmt::format("WHERE message_id = ?1 AND state IN ({}) ORDER BY id",
                              list_of({State::queued, State::running, State::ended, State::done,
                                       State::failed, State::superseded})),
                  {message_id});
}

Result<std::vector<Entry>> Queue::with_digest(const std::string& digest) {
    return select(fmt::format("WHERE digest = ?1 AND state IN ({}) ORDER BY id",
                              list_of({State::queued, State::running, State::ended, State::done})),
                  {digest});
}

Result<std::vector<Entry>> Queue::from(const std::string& sender) {
    return select(fmt::format("WHERE sender = ?1 AND state IN ({}) ORDER BY id",
                              list_of({State::queued, State::running, State::ended, State::done,
                                       State::failed})),
                  {sender});
}

Result<bool> Queue::add(const StoredMail& mail) {
    auto statement = database_.prepare(
        "INSERT OR IGNORE INTO mail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING 1");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, mail.inbox).bind(2, mail.message_id).bind(3, mail.sender);
    statement->bind(4, mail.parent).bind(5, mail.series).bind(6, std::int64_t{mail.number});
    auto row = statement->bind(7, mail.raw).step();
    if (!row || !*row)
        return row;
    return statement->run().map([] { return true; });
}

Result<void> Queue::forget_raw(std::int64_t series) {
    auto statement = database_.prepare("UPDATE mail SET raw = NULL WHERE series = ?1");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    return statement->bind(1, series).run();
}

Result<std::vector<StoredMail>> Queue::mails(std::int64_t series) {
    auto statement = database_.prepare("SELECT inbox, message_id, sender, parent, series, number, "
                                       "raw FROM mail WHERE series = ?1 ORDER BY number, rowid");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, series);
    std::vector<StoredMail> mails;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return mails;
        mails.push_back({statement->text(0), statement->text(1), statement->text(2),
                         statement->text(3), statement->integer(4),
                         static_cast<int>(statement->integer(5)), statement->text(6)});
    }
}

Result<std::vector<int>> Queue::numbers(std::int64_t series) {
    auto statement =
        database_.prepare("SELECT DISTINCT number FROM mail WHERE series = ?1 ORDER BY number");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    statement->bind(1, series);
    std::vector<int> numbers;
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return numbers;
        numbers.push_back(static_cast<int>(statement->integer(0)));
    }
}

Result<std::optional<Entry>> Queue::of_mail(const std::string& inbox,
                                            const std::string& message_id) {
    auto found = select("JOIN mail ON mail.series = series.id WHERE mail.inbox = ?1 AND "
                        "mail.message_id = ?2",
                        {inbox, message_id});
    if (!found)
        return tl::unexpected(std::move(found.error()));
    return found->empty() ? std::nullopt : std::optional(std::move(found->front()));
}

Result<std::vector<Entry>> Queue::with_mail(const Entry& like, const std::string& message_id) {
    return select(fmt::format("JOIN mail ON mail.series = series.id WHERE mail.inbox = ?1 AND "
                              "mail.message_id = ?2 AND series.sender = ?3 AND series.version = {} "
                              "AND series.state IN ('waiting', 'queued') ORDER BY series.id",
                              like.version),
                  {like.inbox, message_id, like.sender});
}

Result<std::vector<Entry>> Queue::with_answer(const Entry& like, const std::string& message_id) {
    return select(fmt::format("WHERE id IN (SELECT series FROM mail WHERE inbox = ?1 AND "
                              "parent = ?2) AND sender = ?3 AND version = {} AND state IN "
                              "('waiting', 'queued') ORDER BY id",
                              like.version),
                  {like.inbox, message_id, like.sender});
}

Result<void> Queue::move_mails(std::int64_t from, std::int64_t to) {
    auto statement = database_.prepare("UPDATE mail SET series = ?2 WHERE series = ?1");
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    return statement->bind(1, from).bind(2, to).run();
}

} // namespace kmatrix::watch

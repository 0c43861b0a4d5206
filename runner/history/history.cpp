// SPDX-License-Identifier: GPL-2.0-only
#include "runner/history/history.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <tuple>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "results/versions.h"

namespace kmatrix {
namespace {

constexpr int timeout_ms = 10'000;
constexpr std::int64_t schema_version = 1;

constexpr const char* schema = R"(
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    id TEXT NOT NULL, started TEXT NOT NULL, indexed TEXT NOT NULL, kmatrix TEXT NOT NULL,
    baseline_describe TEXT NOT NULL, baseline_commit TEXT NOT NULL, patched_tree TEXT NOT NULL,
    subject TEXT NOT NULL, version INTEGER NOT NULL,
    UNIQUE (id, started));
CREATE TABLE results (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    arch TEXT NOT NULL, config TEXT NOT NULL, vcpus INTEGER NOT NULL, compiler TEXT NOT NULL,
    cmdline TEXT NOT NULL, test TEXT NOT NULL, origin TEXT NOT NULL, kernel TEXT NOT NULL,
    status TEXT NOT NULL, count INTEGER NOT NULL);
CREATE INDEX results_by_run ON results (run);
CREATE INDEX results_by_test ON results (test, origin, arch, config, kernel);
PRAGMA user_version = 1;
)";

// Beside the schema: an older kmatrix knows nothing of it and is not disturbed.
constexpr const char* versions_schema = R"(
CREATE TABLE IF NOT EXISTS versions (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    directory TEXT NOT NULL, verdict TEXT NOT NULL, change_id TEXT NOT NULL, subject TEXT NOT NULL,
    author TEXT NOT NULL, message_id TEXT NOT NULL, refs TEXT NOT NULL))";

constexpr const char* earlier_versions_sql = R"(
SELECT version, id, started, directory, verdict,
       change_id, versions.subject, author, message_id, refs
FROM versions JOIN runs USING (run)
WHERE version < ?1
ORDER BY version DESC, started DESC)";

// What TestTally::failing() counts.
constexpr const char* by_baseline_sql = R"(
SELECT test, origin, arch, config, baseline_describe, baseline_commit, kernel,
       SUM(CASE WHEN status IN ('failed', 'missing') THEN count ELSE 0 END) AS failed,
       SUM(CASE WHEN status <> 'skipped' THEN count ELSE 0 END),
       COUNT(DISTINCT run), MIN(started), MAX(started)
FROM results JOIN runs USING (run)
WHERE INSTR(test, ?1) > 0
GROUP BY test, origin, arch, config, kernel, baseline_commit
ORDER BY test, origin DESC, arch, config, kernel, MAX(started) DESC)";

constexpr const char* failing_sql = R"(
SELECT test, origin, arch, config, '', '', kernel,
       SUM(CASE WHEN status IN ('failed', 'missing') THEN count ELSE 0 END) AS failed,
       SUM(CASE WHEN status <> 'skipped' THEN count ELSE 0 END) AS times,
       COUNT(DISTINCT run), MIN(started), MAX(started)
FROM results JOIN runs USING (run)
WHERE kernel = 'baseline'
GROUP BY test, origin, arch, config
HAVING failed > 0
ORDER BY 1.0 * failed / times DESC, test, origin DESC, arch, config)";

constexpr const char* earlier_sql = R"(
SELECT SUM(CASE WHEN status IN ('failed', 'missing') THEN count ELSE 0 END),
       SUM(CASE WHEN status <> 'skipped' THEN count ELSE 0 END)
FROM results JOIN runs USING (run)
WHERE test = ?1 AND origin = ?2 AND arch = ?3 AND config = ?4 AND kernel = 'baseline'
      AND NOT (id = ?5 AND started = ?6))";

Kernel kernel_of(const std::string& word) {
    return word == to_string(Kernel::baseline) ? Kernel::baseline : Kernel::patched;
}

// Neither an A/A run, nor some of the patches or tests only.
bool is_whole(const RunInfo& info) {
    return !info.noise && info.series.first_patches == 0 && info.tests.empty();
}

std::string day(const std::string& started) {
    return started.substr(0, 10);
}

std::string row_text(const HistoryEntry& entry) {
    const std::string baseline =
        entry.baseline_commit.empty()
            ? std::string()
            : fmt::format(" {} ({})", entry.baseline_describe, entry.baseline_commit.substr(0, 12));
    const std::string days = day(entry.first) == day(entry.last)
                                 ? day(entry.last)
                                 : day(entry.first) + " to " + day(entry.last);
    const std::string rate = entry.times == 0
                                 ? std::string("always skipped")
                                 : "failed " + text(statistics::rate(entry.failed, entry.times));
    return fmt::format("    {}{}: {}; {} run{}, {}\n",
                       entry.kernel == Kernel::baseline ? "unpatched" : "patched", baseline, rate,
                       entry.runs, entry.runs == 1 ? "" : "s", days);
}

} // namespace

std::filesystem::path history_file() {
    return state_directory() / "history.sqlite";
}

Result<History> History::open(const std::filesystem::path& file) {
    auto database = sqlite::Database::open(file, timeout_ms);
    if (!database)
        return tl::unexpected(database.error());
    // Where that cannot be (a file system without shared memory, another kmatrix at the same step)
    // the older journal stays, which is as safe and only makes readers wait.
    static_cast<void>(database->execute("PRAGMA journal_mode = WAL"));
    if (auto set = database->execute("PRAGMA foreign_keys = ON"); !set)
        return tl::unexpected(set.error());
    if (auto made = sqlite::require_schema(*database, file, schema, schema_version); !made)
        return tl::unexpected(std::move(made.error()));
    if (auto made = database->execute(versions_schema); !made)
        return tl::unexpected(made.error());
    return History(std::move(*database));
}

Result<void> History::add(const RunInfo& info, const Matrix& matrix,
                          const std::vector<TestComparison>& tests) {
    auto transaction = sqlite::Transaction::begin(database_);
    if (!transaction)
        return tl::unexpected(transaction.error());
    auto remove = database_.prepare("DELETE FROM runs WHERE id = ?1 AND started = ?2");
    auto put = database_.prepare(
        "INSERT INTO runs (id, started, indexed, kmatrix, baseline_describe, baseline_commit, "
        "patched_tree, subject, version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    auto put_result = database_.prepare(
        "INSERT INTO results VALUES ((SELECT run FROM runs WHERE id = ?1 AND started = ?2), "
        "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
    for (const auto* statement : {&remove, &put, &put_result})
        if (!*statement)
            return tl::unexpected(statement->error());
    if (auto done = remove->bind(1, info.id).bind(2, info.started).run(); !done)
        return done;
    put->bind(1, info.id).bind(2, info.started);
    put->bind(3, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
    put->bind(4, info.kmatrix_version).bind(5, info.baseline_describe);
    put->bind(6, info.baseline_commit).bind(7, info.patched_tree);
    put->bind(8, info.series.subject).bind(9, std::int64_t{info.series.version});
    if (auto done = put->run(); !done)
        return done;

    std::map<std::string, const Cell*> cells;
    for (const Cell& cell : matrix.cells)
        cells.emplace(cell.id, &cell);
    for (const TestComparison& test : tests) {
        const auto cell = cells.find(test.cell);
        if (cell == cells.end())
            continue;
        const Axes& axes = cell->second->axes;
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            const TestTally& tally = test.side.of(kernel);
            for (const auto& [status, count] :
                 {std::pair{"passed", tally.passed}, std::pair{"failed", tally.failed},
                  std::pair{"skipped", tally.skipped}, std::pair{"missing", tally.missing}}) {
                if (count == 0)
                    continue;
                put_result->bind(1, info.id).bind(2, info.started);
                put_result->bind(3, to_string(axes.arch)).bind(4, axes.config);
                put_result->bind(5, std::int64_t{axes.vcpus}).bind(6, axes.compiler);
                put_result->bind(7, axes.cmdline).bind(8, plain_name(test));
                put_result->bind(9, to_string(test.origin)).bind(10, to_string(kernel));
                put_result->bind(11, status).bind(12, static_cast<std::int64_t>(count));
                if (auto done = put_result->run(); !done)
                    return done;
            }
        }
    }
    return transaction->commit();
}

Result<void> History::add_version(const RunInfo& info, const std::filesystem::path& directory,
                                  const std::string& verdict) {
    if (!is_whole(info))
        return {};
    auto put = database_.prepare(
        "INSERT OR REPLACE INTO versions SELECT run, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM runs "
        "WHERE id = ?1 AND started = ?2");
    if (!put)
        return tl::unexpected(put.error());
    const SeriesIdentity identity = identity_of(info.series);
    put->bind(1, info.id).bind(2, info.started).bind(3, directory.string()).bind(4, verdict);
    put->bind(5, identity.change_id).bind(6, identity.subject).bind(7, identity.author);
    put->bind(8, identity.message_id).bind(9, join(identity.references, " "));
    return put->run();
}

Result<std::optional<EarlierVersion>> History::earlier_version(const RunInfo& info) {
    if (!is_whole(info))
        return std::nullopt;
    auto statement = database_.prepare(earlier_versions_sql);
    if (!statement)
        return tl::unexpected(statement.error());
    statement->bind(1, std::int64_t{info.series.version});
    const SeriesIdentity now = identity_of(info.series);
    for (;;) {
        const auto row = statement->step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return std::nullopt;
        SeriesIdentity then;
        then.change_id = statement->text(5);
        then.subject = statement->text(6);
        then.author = statement->text(7);
        then.message_id = statement->text(8);
        then.references = split(statement->text(9), ' ');
        const auto why = why_one_series(now, then);
        if (!why)
            continue;
        EarlierVersion earlier;
        earlier.version = static_cast<int>(statement->integer(0));
        earlier.run = statement->text(1);
        earlier.started = statement->text(2);
        earlier.directory = statement->text(3);
        earlier.verdict = statement->text(4);
        earlier.why = *why;
        return earlier;
    }
}

Result<std::vector<EarlierFailures>> History::earlier(const RunInfo& info, const Matrix& matrix,
                                                      const std::vector<TestComparison>& tests) {
    auto statement = database_.prepare(earlier_sql);
    if (!statement)
        return tl::unexpected(statement.error());
    std::map<std::tuple<Arch, std::string, std::string, Kernel>, bool> asked;
    std::vector<EarlierFailures> all;
    for (const TestComparison& test : tests) {
        const auto cell = std::find_if(matrix.cells.begin(), matrix.cells.end(),
                                       [&](const Cell& other) { return other.id == test.cell; });
        if (cell == matrix.cells.end() || !is_in_question(test.verdict))
            continue;
        EarlierFailures earlier{
            cell->axes.arch, cell->axes.config, plain_name(test), test.origin, 0, 0};
        if (!asked
                 .emplace(std::tuple(earlier.arch, earlier.config, earlier.test, earlier.origin),
                          true)
                 .second)
            continue;
        statement->bind(1, earlier.test).bind(2, to_string(earlier.origin));
        statement->bind(3, to_string(earlier.arch)).bind(4, earlier.config);
        statement->bind(5, info.id).bind(6, info.started);
        const auto row = statement->step();
        if (!row)
            return tl::unexpected(row.error());
        earlier.failed = static_cast<std::size_t>(statement->integer(0));
        earlier.runs = static_cast<std::size_t>(statement->integer(1));
        if (auto done = statement->run(); !done)
            return tl::unexpected(done.error());
        if (earlier.runs != 0)
            all.push_back(std::move(earlier));
    }
    return all;
}

Result<std::vector<HistoryEntry>> History::entries(sqlite::Statement& statement) {
    std::vector<HistoryEntry> all;
    for (;;) {
        const auto row = statement.step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return all;
        HistoryEntry entry;
        entry.test = statement.text(0);
        entry.origin = kernel_of(statement.text(1));
        entry.arch = statement.text(2);
        entry.config = statement.text(3);
        entry.baseline_describe = statement.text(4);
        entry.baseline_commit = statement.text(5);
        entry.kernel = kernel_of(statement.text(6));
        entry.failed = static_cast<std::size_t>(statement.integer(7));
        entry.times = static_cast<std::size_t>(statement.integer(8));
        entry.runs = static_cast<std::size_t>(statement.integer(9));
        entry.first = statement.text(10);
        entry.last = statement.text(11);
        all.push_back(std::move(entry));
    }
}

Result<std::vector<HistoryEntry>> History::by_baseline(std::string_view test) {
    auto statement = database_.prepare(by_baseline_sql);
    if (!statement)
        return tl::unexpected(statement.error());
    statement->bind(1, test);
    return entries(*statement);
}

Result<std::vector<HistoryEntry>> History::failing_unpatched() {
    auto statement = database_.prepare(failing_sql);
    if (!statement)
        return tl::unexpected(statement.error());
    return entries(*statement);
}

Result<std::size_t> History::runs() {
    return sqlite::number(database_, "SELECT COUNT(*) FROM runs").map([](std::int64_t count) {
        return static_cast<std::size_t>(count);
    });
}

std::string history_text(const std::vector<HistoryEntry>& entries) {
    std::string text;
    std::string head;
    for (const HistoryEntry& entry : entries) {
        const std::string its = fmt::format("{}{} ({}, {})\n", entry.test,
                                            entry.origin == Kernel::baseline ? " (baseline's)" : "",
                                            entry.arch, entry.config);
        if (its != head)
            text += its;
        head = its;
        text += row_text(entry);
    }
    return text;
}

} // namespace kmatrix

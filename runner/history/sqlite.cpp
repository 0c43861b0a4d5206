// SPDX-License-Identifier: GPL-2.0-only
#include "runner/history/sqlite.h"

#include <utility>

#include <fmt/format.h>

namespace kmatrix::sqlite {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> error_of(sqlite3* database) {
    const char* file = sqlite3_db_filename(database, "main");
    return infrastructure_error(
        fmt::format("{}: {}", file != nullptr ? file : "history", sqlite3_errmsg(database)));
}

} // namespace

Statement& Statement::bind(int parameter, std::string_view text) {
    sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
    return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
    sqlite3_bind_int64(statement_.get(), parameter, number);
    return *this;
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE) {
        auto error = error_of(sqlite3_db_handle(statement_.get()));
        sqlite3_reset(statement_.get());
        return error;
    }
    sqlite3_reset(statement_.get());
    return false;
}

Result<void> Statement::run() {
    for (;;) {
        const auto row = step();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return {};
    }
}

std::string Statement::text(int column) const {
    const auto* text = sqlite3_column_text(statement_.get(), column);
    const int bytes = sqlite3_column_bytes(statement_.get(), column);
    return text == nullptr
               ? std::string()
               : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes));
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

Result<Database> Database::open(const fs::path& file, int timeout_ms) {
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    if (failure)
        return infrastructure_error(
            fmt::format("{}: cannot be made: {}", file.parent_path().string(), failure.message()));
    sqlite3* handle = nullptr;
    const int code =
        sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    Database database(handle);
    if (code != SQLITE_OK)
        return infrastructure_error(
            fmt::format("{}: {}", file.string(),
                        handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code)));
    sqlite3_busy_timeout(handle, timeout_ms);
    return database;
}

Result<void> Database::execute(const char* sql) {
    if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return error_of(database_.get());
    return {};
}

Result<Statement> Database::prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK)
        return error_of(database_.get());
    return Statement(statement);
}

Result<Transaction> Transaction::begin(Database& database) {
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return tl::unexpected(begun.error());
    return Transaction(database);
}

Transaction::~Transaction() {
    if (database_ != nullptr)
        static_cast<void>(database_->execute("ROLLBACK"));
}

Result<void> Transaction::commit() {
    auto done = database_->execute("COMMIT");
    if (done)
        database_ = nullptr;
    return done;
}

Result<std::int64_t> number(Database& database, const char* sql) {
    auto statement = database.prepare(sql);
    if (!statement)
        return tl::unexpected(std::move(statement.error()));
    const auto row = statement->step();
    if (!row)
        return tl::unexpected(row.error());
    return *row ? statement->integer(0) : 0;
}

Result<void> require_schema(Database& database, const std::filesystem::path& file,
                            const char* schema, std::int64_t version) {
    constexpr const char* query = "PRAGMA user_version";
    auto found = number(database, query);
    if (found && *found == 0) {
        // Looked at again by the one that may write, since another kmatrix may have been first.
        auto transaction = Transaction::begin(database);
        if (!transaction)
            return tl::unexpected(std::move(transaction.error()));
        found = number(database, query);
        if (found && *found == 0) {
            if (auto made = database.execute(schema); !made)
                return made;
            found = version;
        }
        if (auto done = transaction->commit(); !done)
            return done;
    }
    if (!found)
        return tl::unexpected(std::move(found.error()));
    if (*found != version)
        return infrastructure_error(fmt::format("{}: made by another kmatrix (form {}, not {})",
                                                file.string(), *found, version));
    return {};
}

} // namespace kmatrix::sqlite

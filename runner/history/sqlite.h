// SPDX-License-Identifier: GPL-2.0-only
// As much of SQLite as the history and the queue of watch need
// (https://www.sqlite.org/c3ref/intro.html).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sqlite3.h>

#include "base/error.h"

namespace kmatrix::sqlite {

class Statement {
  public:
    // Parameters and columns are numbered as SQLite numbers them: from 1 and from 0.
    Statement& bind(int parameter, std::string_view text);
    Statement& bind(int parameter, std::int64_t number);
    // True: there is a row. After the last one the statement can be bound and run again.
    Result<bool> step();
    Result<void> run(); // to its end

    std::string text(int column) const;
    std::int64_t integer(int column) const;

  private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
  public:
    // Makes the file and its folders if they are missing. Waits for other writers up to the
    // timeout. Errors of all functions name the file and say what SQLite said.
    static Result<Database> open(const std::filesystem::path& file, int timeout_ms);

    Result<void> execute(const char* sql);
    Result<Statement> prepare(const char* sql);

  private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
    };
    explicit Database(sqlite3* database) : database_(database) {}

    std::unique_ptr<sqlite3, Close> database_;
};

// Everything between its making and commit() happens, or none of it. It takes the right to write at
// once, so that two writers wait for each other and neither fails half way.
class Transaction {
  public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept
        : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

  private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

// The first column of the first row; 0: there is no row.
Result<std::int64_t> number(Database& database, const char* sql);

// Makes the tables of an empty database; `schema` ends by setting PRAGMA user_version to `version`.
// Errors: SQLite's; `file`, which is named, has tables of another version.
Result<void> require_schema(Database& database, const std::filesystem::path& file,
                            const char* schema, std::int64_t version);

} // namespace kmatrix::sqlite

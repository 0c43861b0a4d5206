// SPDX-License-Identifier: GPL-2.0-only
// What watch knows, in SQLite, so that it survives a restart and SIGKILL: how far each inbox was
// read, the mails of series that are not whole yet, and every series with what became of it. What
// belongs together is written in one transaction.
//
// inbox   name, epoch, commit_id    the last commit whose mail was taken
//         polled, failures          when it was asked last, and in vain since
// series  an Entry each
// mail    inbox, message_id         of every patch and cover letter ever seen
//         sender, parent            of From; the last of its References
//         series, number, raw       NULL once nobody needs it any more
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runner/history/sqlite.h"

namespace kmatrix::watch {

enum class State {
    waiting,    // for the rest of its mails
    queued,     // whole, and to be tested
    running,    // begun; its directory may hold a run
    ended,      // tested; the draft and the publishing are still to do
    done,       // all of it; status has the exit status
    failed,     // not tested, for reasons of our own or the series': reason
    superseded, // a newer version came before it was begun
    known,      // tested already, under another Message-ID or from another inbox
    refused,    // as assemble_series() refuses: reason
    incomplete, // parts did not come in time: reason
    unmatched,  // no rule wants it
};
std::string_view to_string(State state);

struct Entry {
    std::int64_t id = 0;
    std::string inbox;
    std::string sender; // address of From, lower case
    int version = 1;
    int total = 0; // patches; 0: unknown yet
    State state = State::waiting;
    std::string subject;    // of the cover letter or the first patch, as sent
    std::string message_id; // the same's, once it is whole
    std::string change_id;  // of b4's "change-id:" line; may be empty
    std::string references; // of the same, one a line
    std::string digest;     // of its diffs, see digest_of()
    std::string rule;
    int priority = 0;
    std::string reason;    // why it is in this state
    std::string directory; // of its run
    int status = 0;        // of its run
    int attempts = 0;
    std::int64_t bytes = 0;        // of its mails
    std::int64_t changed_s = 0;    // when it came into this state; waiting: its latest mail
    std::int64_t not_before_s = 0; // not begun again before that
};

// For messages: "\"[PATCH] mm: x\" of a@x.org <id@x.org>".
std::string name_of(const Entry& entry);

struct StoredMail {
    std::string inbox, message_id, sender, parent;
    std::int64_t series = 0;
    int number = 0; // 0: the cover letter
    std::string raw;
};

// How far an inbox was read.
struct Position {
    int epoch = -1;     // -1: not yet
    std::string commit; // empty: nothing of this epoch
    std::int64_t polled_s = 0;
    int failures = 0;
};

class Queue {
  public:
    // Errors: as History::open() has them.
    static Result<Queue> open(const std::filesystem::path& file);

    Result<sqlite::Transaction> begin() { return sqlite::Transaction::begin(database_); }

    Result<Position> position(const std::string& inbox);
    Result<void> save(const std::string& inbox, const Position& position);

    Result<std::int64_t> add(const Entry& entry); // its id
    Result<void> save(const Entry& entry);
    Result<std::optional<Entry>> entry(std::int64_t id);
    Result<void> remove(std::int64_t id);
    // In the order in which they came.
    Result<std::vector<Entry>> entries(const std::vector<State>& states);
    // The `count` (-1: all) that changed last.
    Result<std::vector<Entry>> latest(const std::vector<State>& states, int count);
    // Queued, in the order in which they are to be tested: by priority, then the highest version,
    // then the oldest. Those of not_before_s after now_s come last.
    Result<std::vector<Entry>> queued(std::int64_t now_s);
    // Those that were to be tested: under this Message-ID, whatever became of it; of these diffs,
    // where they are tested or will be; of this sender, but for what was superseded.
    Result<std::vector<Entry>> with_message_id(const std::string& message_id);
    Result<std::vector<Entry>> with_digest(const std::string& digest);
    Result<std::vector<Entry>> from(const std::string& sender);

    // False: it is there already.
    Result<bool> add(const StoredMail& mail);
    Result<void> forget_raw(std::int64_t series);
    // With their raw text, by number.
    Result<std::vector<StoredMail>> mails(std::int64_t series);
    Result<std::vector<int>> numbers(std::int64_t series);
    // The series of a mail; nothing: it was no patch, or is not known.
    Result<std::optional<Entry>> of_mail(const std::string& inbox, const std::string& message_id);
    // Those waiting or queued, of this sender and version, that have a mail of this Message-ID, or
    // an answer to it.
    Result<std::vector<Entry>> with_mail(const Entry& like, const std::string& message_id);
    Result<std::vector<Entry>> with_answer(const Entry& like, const std::string& message_id);
    Result<void> move_mails(std::int64_t from, std::int64_t to);

  private:
    explicit Queue(sqlite::Database database) : database_(std::move(database)) {}

    Result<std::vector<Entry>> select(const std::string& clauses,
                                      const std::vector<std::string>& values);

    sqlite::Database database_;
};

} // namespace kmatrix::watch

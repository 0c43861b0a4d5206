// SPDX-License-Identifier: GPL-2.0-only
// What the agent in the guest said, read while the boot runs and afterwards. images/protocol.h has
// the format. A line that is no record is kept as an anomaly; it never costs a good one. Whatever a
// guest says, and however much, what is kept of it has a limit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "results/model.h"

namespace kmatrix {

namespace transcript {

struct Hello {
    int protocol = 0;
    Vitals vitals;
};
struct Note {
    std::string message;
};
struct Started {
    std::string id;
    double uptime_s = 0; // of the guest
};
struct Output {
    std::string id;
    bool is_stderr = false;
    std::string text; // a piece: it may begin and end anywhere
};
struct Ended {
    std::string id;
    int exit = 0;
    int signal = 0; // 0: none
    bool timed_out = false;
    double seconds = 0;
};
struct AgentFailed {
    std::string message;
};
struct Done {};

using Record = std::variant<Hello, Note, Started, Output, Ended, AgentFailed, Done>;

struct ReadRecord {
    Record record;
    std::size_t at = 0; // where in the line it begins; what stands before it is torn or alien
};

// One record; or what is wrong with the line. Where a record was torn and another follows in the
// same line (the guest reset in the midst of writing), that one is read. A hello counts whatever
// its vitals lack.
tl::expected<ReadRecord, std::string> read_record(std::string_view line);

} // namespace transcript

struct JobOutcome {
    std::string id;
    bool started = false;
    double started_uptime_s = 0;
    std::optional<transcript::Ended> end;
    // Both streams; lines are whole, each stream's are in its order. What is not yet a line is only
    // there after the job's end or finish().
    std::string output;
    std::string out; // the standard output alone, to the last byte that came
};

class Transcript {
  public:
    struct Anomaly {
        std::size_t line = 0; // from 1
        std::string what;
        std::string text; // its beginning, printable
    };

    // Bytes of the channel; they may end anywhere. Gives the records that are complete with them.
    std::vector<transcript::Record> feed(std::string_view bytes);
    // Nothing more comes: a last line without newline is read, or is torn. Gives what it held.
    std::vector<transcript::Record> finish();

    const std::optional<Vitals>& vitals() const { return vitals_; }
    bool said_hello() const { return hellos_ > 0; }
    int hellos() const { return hellos_; } // more than one: the guest has started again
    bool is_done() const { return done_; }
    // Why the agent could not go on; empty: it did not say so.
    const std::string& agent_error() const { return agent_error_; }
    const std::vector<std::string>& notes() const { return notes_; }

    const std::vector<JobOutcome>& jobs() const { return jobs_; } // as they started
    const JobOutcome* find(const std::string& id) const;          // null: never heard of
    const JobOutcome* running() const;                            // null: none
    // The last good record as it was written, shortened; for BootOutcome's AgentLost.
    const std::string& last_record() const { return last_record_; }

    const std::vector<Anomaly>& anomalies() const { return anomalies_; } // the first 100
    std::size_t anomaly_count() const { return anomaly_count_; }

  private:
    struct Unfinished { // lines of a job
        std::string out, err;
    };

    void read_line(std::string_view line, std::vector<transcript::Record>& records);
    void note(const transcript::Record& record, std::string_view line);
    void flush(std::size_t job);
    std::optional<std::size_t> job(const std::string& id, std::string_view line);
    void anomaly(std::string what, std::string_view line);

    std::string line_; // not yet ended
    std::size_t lines_ = 0;
    bool cut_ = false; // the line's beginning was too long to keep
    std::vector<JobOutcome> jobs_;
    std::vector<Unfinished> unfinished_; // as jobs_
    std::unordered_map<std::string, std::size_t> job_by_id_;
    std::optional<std::size_t> running_;
    std::optional<Vitals> vitals_;
    int hellos_ = 0;
    bool done_ = false;
    std::string agent_error_;
    std::vector<std::string> notes_;
    std::string last_record_;
    std::vector<Anomaly> anomalies_;
    std::size_t anomaly_count_ = 0;
    std::size_t output_bytes_ = 0; // of all jobs
};

} // namespace kmatrix

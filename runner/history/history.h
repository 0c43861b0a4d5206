// SPDX-License-Identifier: GPL-2.0-only
// An index of the tests of all runs, and of the versions of series that they tested, in SQLite, in
// the XDG state folder. It outlives the runs' directories, so that a test which fails now and then
// is known for it.
//
// runs     id, started       of RunInfo, which together name a run
//          indexed, kmatrix, baseline_describe, baseline_commit, patched_tree, subject, version
// results  run, arch, config, vcpus, compiler, cmdline   of the cell
//          test, origin      plain_name(), and whose tree the program is from
//          kernel            baseline or patched
//          status, count     passed, failed, skipped or missing, and how often in this run
// versions run, directory, verdict
//          change_id, subject, author, message_id, refs    of SeriesIdentity; the last by spaces
//          (only of whole series: of a part nobody asks)
//
// Several kmatrix may use it at once: write-ahead log, a busy timeout, one transaction a run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "results/comparison/tests.h"
#include "results/known.h"
#include "results/model.h"
#include "runner/history/sqlite.h"

namespace kmatrix {

// How often a test failed on the kernels of one baseline.
struct HistoryEntry {
    std::string test;
    Kernel origin = Kernel::patched;
    std::string arch, config;
    std::string baseline_describe, baseline_commit; // empty: of all
    Kernel kernel = Kernel::baseline;               // with a series, or without
    std::size_t failed = 0;                         // or missing
    std::size_t times = 0;                          // run, and not skipped
    std::size_t runs = 0;                           // of kmatrix
    std::string first, last;                        // when those started, ISO 8601
};

std::filesystem::path history_file(); // in the XDG state folder

class History {
  public:
    // Errors: the file cannot be read or made, is none of SQLite's, or was made by a later kmatrix.
    static Result<History> open(const std::filesystem::path& file = history_file());

    // A run that is there already is replaced.
    Result<void> add(const RunInfo& info, const Matrix& matrix,
                     const std::vector<TestComparison>& tests);

    // The version that it tested, of a run that add() has added, whose directory this is. Nothing
    // is kept of an A/A run, nor where only some tests or patches were asked for.
    Result<void> add_version(const RunInfo& info, const std::filesystem::path& directory,
                             const std::string& verdict);

    // The newest earlier version of its series that was tested here, by the last run of that
    // version. Without a range-diff. None is looked for where add_version() keeps nothing.
    Result<std::optional<EarlierVersion>> earlier_version(const RunInfo& info);

    // Of each test in question of these, how often it failed on unpatched kernels of the same
    // architecture and config in other runs. What never ran there is left out.
    Result<std::vector<EarlierFailures>> earlier(const RunInfo& info, const Matrix& matrix,
                                                 const std::vector<TestComparison>& tests);

    // Of tests whose name has this in it, by baseline, kernels without a series first.
    Result<std::vector<HistoryEntry>> by_baseline(std::string_view test);
    // Of all tests that ever failed on an unpatched kernel, over all baselines, worst first.
    Result<std::vector<HistoryEntry>> failing_unpatched();
    Result<std::size_t> runs();

  private:
    explicit History(sqlite::Database database) : database_(std::move(database)) {}

    Result<std::vector<HistoryEntry>> entries(sqlite::Statement& statement);

    sqlite::Database database_;
};

// "failed 3 of 41 times, 1.5 % to 20 % at 95 %, in 12 runs" under each test, for a terminal.
std::string history_text(const std::vector<HistoryEntry>& entries);

} // namespace kmatrix

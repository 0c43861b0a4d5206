// SPDX-License-Identifier: GPL-2.0-only
// A patch series as a value, and the ways in which one reaches kmatrix.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "results/model.h"
#include "runner/series/diff.h"
#include "runner/series/mail.h"

namespace kmatrix {

class Repository;

struct Patch {
    std::string subject; // without its brackets
    std::string author;  // "Name <address>"
    std::string message_id;
    std::string origin; // where it came from, for messages: "0001-x.patch", "mail 3 of s.mbox"
    std::string diff;   // what git gets
    std::vector<FileDiff> files;
    Letter letter;
};

struct Series {
    std::string subject; // of the cover letter, or of the one patch
    std::string author;  // of the same
    std::string message_id;
    int version = 1;
    std::string source; // as the user gave it
    // What the patches say that they were made on: the base of a range, or the id of a
    // "base-commit:" line. May be empty, or unknown to the tree.
    std::string base_commit;
    bool is_range = false;
    std::vector<Patch> patches; // in order; empty in an A/A run alone
    std::optional<Letter> cover;
    std::vector<std::string> notes;

    // The selftest targets whose files it changes ("proc"); what lies beside the targets
    // ("kselftest_harness.h") counts as a target of that name.
    std::vector<std::string> selftests_edited() const;
    SeriesInfo info() const;
};

// A mail and the place that it came from.
struct SeriesMail {
    Mail mail;
    std::string origin;
};

// Puts the mails in order. Replies are left out and noted. Refused (Blame::user): no patch at all,
// patches missing or twice, two versions or two series together, and patches that touch what no
// patch may (see refusal()).
Result<Series> assemble_series(std::vector<SeriesMail> mails, const std::string& source);

// source: a directory of *.patch, *.eml and *.mbox files, one such file (or a bare diff), or a git
// range "base..topic" or branch of the tree, for which patches are made as format-patch makes them
// (a branch is taken from where it left the tree's HEAD).
boost::asio::awaitable<Result<Series>> read_series(std::string source,
                                                   const Repository& repository);

} // namespace kmatrix

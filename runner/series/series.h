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
    // The ids (`git patch-id --stable`) of patches that it needs below it, from its
    // "prerequisite-patch-id:" lines.
    std::vector<std::string> prerequisites;
    std::string change_id; // of its "change-id:" line; see SeriesInfo
    bool is_range = false;
    std::vector<Patch> patches; // in order; empty in an A/A run alone
    std::optional<Letter> cover;
    std::vector<std::string> notes;
    // Its mails, and no others, as an mbox that read_series() reads as the same series; of a range
    // those that format-patch makes. Empty for bare diffs.
    std::string mbox;

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

// Puts the mails in order. Left out and noted: what without_others() says. Refused (Blame::user),
// with the mail and the reason: no patch at all, patches missing or two of one number, two versions
// or two series together, patches that are mangled or touch what no patch may (see refusal()), and
// control characters in Subject or From. message_id: of any mail of the series that is meant, where
// the mails are a whole thread.
Result<Series> assemble_series(std::vector<SeriesMail> mails, const std::string& source,
                               const std::string& message_id = {});

// source: a directory of *.patch, *.eml and *.mbox files (each may be *.gz), one such file (or a
// bare diff), "-" for one on stdin, a Message-ID or an archive's URL of one (see fetch.h), or a git
// range "base..topic" or branch of the tree, for which patches are made as format-patch makes them
// (a branch is taken from where it left the tree's HEAD).
boost::asio::awaitable<Result<Series>> read_series(std::string source,
                                                   const Repository& repository);

} // namespace kmatrix

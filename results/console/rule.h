// SPDX-License-Identifier: GPL-2.0-only
// What the lines look like with which a kernel begins a report, and what each of them means.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "results/console/helper_frames.h"

namespace kmatrix {

// What a line that matches is.
enum class RulePart {
    ignored,  // looks like a report and is none: no other rule is asked
    head,     // a report begins
    lead,     // a report begins that a trap may follow; what this line says names both
    trap,     // the processor's part of a report: belongs to the one that led to it, or is one
    maybe,    // a report only if a trap follows
    cut,      // "cut here": part of the report that follows
    note,     // "WARNING: " and prose: a report unless it reads like a hint and no stack follows
    panic,    // the end: a report, or the consequence of the one before
    boot,     // a kernel begins: a report only if one was running already
    farewell, // a kernel says that it will restart the machine: then a boot is expected
};

// Where in a message the pattern may stand.
enum class Place {
    start,      // nothing before it but the name of a subsystem
    after_word, // after "WARNING: ", "INFO: ", "BUG: " or "[ "
    anywhere,   // not in the middle of a word: torn lines put messages into the middle of others
};

// Where the function at fault is found. Helpers (by `fault`) are skipped everywhere; what has no
// such place, or only helpers there, falls back to the stack.
enum class From {
    header,    // the function in the line itself
    trace,     // the instruction pointer, then the innermost frame of the stack
    entry,     // what a dispatcher had called: where the stack itself is a snapshot, or overflowed
    lock,      // lockdep: where the lock that the report is about was taken
    work,      // the workqueue's: which work item it was
    safe_side, // lockdep: the first place that takes the lock in an interrupt
    nowhere,   // the report has no function
    line,      // nor anything else: it is one line
};

struct Rule {
    RulePart part = RulePart::head;
    Place place = Place::start;
    std::string_view klass;
    From from = From::trace;
    Fault fault = Fault::access;
    // $1, $2: what the pattern captured, made stable; $access " Read" or " Write"; $next the next
    // line. " in FUNCTION" is appended where one is known.
    std::string_view title;
    std::string_view pattern; // see pattern.h
    // One of these words a line must have before the rule is asked. By default the literal that the
    // pattern begins with. At least 4 bytes each.
    std::vector<std::string_view> wakes;
    std::string_view reason; // why an ignored one is no report
};

// In the order in which they are asked.
const std::vector<Rule>& rules();

// A rule that a message matches, and where in it. The first of the table that does.
struct RuleMatch {
    const Rule* rule = nullptr;
    std::size_t offset = 0;
};
std::optional<RuleMatch> match_rule(std::string_view message);

// The first byte in the text at which a word stands that may wake a rule, or npos. Fast: this is
// what all of a console goes through.
std::size_t find_wake(std::string_view text);

// A panic that says no more than that something reported before was fatal.
bool is_consequence(std::string_view panic);

// A hint at configuration, firmware, mitigations, things that will be removed; or a whole sentence,
// where a heading is a few words.
bool reads_like_a_note(std::string_view text);

// The API whose warning it is, by the source file that the line names.
struct WarningFile {
    std::string_view klass;
    std::string_view title;
};
std::optional<WarningFile> warning_file(std::string_view line);

} // namespace kmatrix

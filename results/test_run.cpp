// SPDX-License-Identifier: GPL-2.0-only
#include "results/test_run.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "results/ktap/ktap.h"

namespace kmatrix {
namespace {

constexpr std::size_t tail_lines = 40;
constexpr std::size_t tail_bytes = 8192;
constexpr std::size_t reason_bytes = 500;

// The first lines of a cut tail would be the least of use, and half of one of none.
std::string tail(const std::string& output) {
    std::string text = printable(last_lines(output, tail_lines));
    if (text.size() > tail_bytes) {
        const std::size_t cut = text.size() - tail_bytes;
        const std::size_t newline = text.find('\n', cut);
        text.erase(0, newline == std::string::npos ? cut : newline + 1);
    }
    return printable(text); // the cut may have split a character
}

std::string shortened(std::string_view text) {
    return printable(trim(text).substr(0, reason_bytes));
}

const ktap::Test* first_skipped(const std::vector<ktap::Test>& tests) {
    for (const ktap::Test& test : tests) {
        if (test.status == "skip")
            return &test;
        if (const ktap::Test* below = first_skipped(test.children))
            return below;
    }
    return nullptr;
}

// Where the word "skip" (in any form and case) begins in the line; npos if nowhere.
std::size_t skip_word(std::string_view line) {
    constexpr std::string_view word = "skip";
    const auto at = std::search(line.begin(), line.end(), word.begin(), word.end(),
                                [](char a, char b) { return (a | 0x20) == b; });
    if (at == line.end() || (at != line.begin() && is_letter(*std::prev(at))))
        return std::string_view::npos;
    return static_cast<std::size_t>(at - line.begin());
}

// "# SKIP: no device", "[SKIP] no device", "skipping, no device" are "no device"; a line that says
// it in other words stays as it is.
std::string_view without_skip_word(std::string_view line) {
    line = trim(line);
    while (!line.empty() && (line[0] == '#' || line[0] == ' '))
        line.remove_prefix(1);
    std::string_view rest = line;
    if (rest.starts_with('['))
        rest.remove_prefix(1);
    rest = trim(rest);
    if (skip_word(rest) != 0)
        return line;
    while (!rest.empty() && is_letter(rest[0]))
        rest.remove_prefix(1);
    const std::size_t begin = rest.find_first_not_of(" ]:,-.\t");
    return begin == std::string_view::npos || begin == 0 ? line : rest.substr(begin);
}

// Why a test skipped itself: its KTAP says so, or a line of its output, or its last words.
std::string skip_reason(const std::string& output, const ktap::Report& report) {
    if (report.skip && !report.skip->empty())
        return *report.skip;
    if (const ktap::Test* test = first_skipped(report.tests))
        return test->reason.empty() ? test->name : test->reason;
    std::string_view text = output;
    std::string_view last, said;
    while (!text.empty()) {
        const std::size_t newline = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, newline));
        text.remove_prefix(std::min(newline + 1, text.size()));
        if (line.empty())
            continue;
        last = line;
        if (skip_word(line) != std::string_view::npos)
            said = line;
    }
    if (!said.empty())
        return shortened(without_skip_word(said));
    return last.empty() ? "exit 4, and not a word why" : shortened(last);
}

Status status_of(const transcript::Ended& end) {
    if (end.timed_out)
        return Status::timeout;
    if (end.signal != 0)
        return Status::fail;
    switch (end.exit) {
    case 0:
        return Status::pass;
    case 2:
        return Status::xfail;
    case 3:
        return Status::xpass;
    case 4:
        return Status::skip;
    default:
        return Status::fail;
    }
}

std::string reason_of(const transcript::Ended& end, Status status, const std::string& output,
                      const ktap::Report& report) {
    if (status == Status::timeout)
        return fmt::format("no end after {:.0f} s", end.seconds);
    if (status == Status::skip)
        return skip_reason(output, report);
    std::string reason =
        end.signal != 0 ? "killed by " + signal_name(end.signal) : fmt::format("exit {}", end.exit);
    if (report.bail_out)
        reason += ": Bail out! " + *report.bail_out;
    else if (status == Status::pass && report.effective == "fail")
        reason += ", though its own results say that it failed";
    else if (status == Status::pass && report.effective == "missing" && !report.empty())
        reason += ", though results that it planned are missing";
    else if (status == Status::pass)
        return {};
    return reason;
}

} // namespace

std::string signal_name(int signal) {
    const char* name = sigabbrev_np(signal); // glibc 2.32
    return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

TestRun test_run(const TestId& id, const JobOutcome* outcome) {
    TestRun run;
    run.target = id.name.target;
    run.test = id.name.test;
    run.origin = id.origin;
    run.attempt = id.attempt;
    if (outcome == nullptr) {
        run.reason = "not started";
        return run;
    }
    ktap::Report report = ktap::parse(outcome->output);
    run.output_tail = tail(outcome->output);
    if (outcome->end) {
        run.status = status_of(*outcome->end);
        run.seconds = outcome->end->seconds;
        run.reason = reason_of(*outcome->end, run.status, outcome->output, report);
    } else {
        run.reason = outcome->started ? "started, and no end was reported" : "not started";
    }
    run.subtests = std::move(report.tests);
    return run;
}

} // namespace kmatrix

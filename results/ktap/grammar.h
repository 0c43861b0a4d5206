// SPDX-License-Identifier: GPL-2.0-only
// What one line says, its prefixes taken off. Each reader gives nothing for a line of another kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kmatrix::ktap {

// Views into the content that was read.
struct ResultLine {
    bool ok = false;
    std::optional<std::uint64_t> number;
    std::string_view name;   // empty if the line has none
    std::string_view status; // "pass", "fail", "skip", "xfail", "xpass", "timeout", "error"
    std::string_view reason;
    bool runner = false; // of the kselftest runner: "selftests: TARGET: TEST"
    // "ok 3 # SKIP text": kselftest.h writes the name there, older kselftest_harness.h the reason
    bool name_after_directive = false;
    std::string_view rest; // what was glued to its end and is not of it
};
std::optional<ResultLine> read_result(std::string_view content);

// "1..4", "1..0 # SKIP reason"
struct PlanLine {
    std::uint64_t count = 0;
    std::optional<std::string_view> skip;
};
std::optional<PlanLine> read_plan(std::string_view content);

bool is_version(std::string_view content); // "TAP version 13", "KTAP version 1", …

std::optional<std::string_view> read_bail_out(std::string_view content); // the reason

// "Totals: pass:5 fail:1 xfail:0 xpass:0 skip:2 error:0", and kselftest.h's older "Pass 5 Fail 1 …"
struct TotalsLine {
    std::uint64_t all = 0;
    std::uint64_t failed = 0; // errors among them
};
std::optional<TotalsLine> read_totals(std::string_view content);

// kselftest.h's own complaint, "Planned tests != run tests (4 != 3)"
struct PlannedRun {
    std::uint64_t planned = 0, run = 0;
};
std::optional<PlannedRun> read_planned_run(std::string_view content);

// The name that the runner announces: "selftests: proc: read" gives "proc: read".
std::optional<std::string_view> read_header(std::string_view content);
std::optional<std::string_view> read_subtest(std::string_view content); // "Subtest: NAME"

// Where results of the runner begin in the content, also in the midst of other text. Theirs is the
// only form that is safe to look for there.
std::vector<std::size_t> runner_results(std::string_view content);

// Where "ok NUMBER" or "not ok NUMBER" begins in the midst of the content; only evidence from the
// lines around tells whether it is a result ("book 3").
std::optional<std::size_t> glued_result(std::string_view content, std::uint64_t number);

} // namespace kmatrix::ktap

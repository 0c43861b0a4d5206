// SPDX-License-Identifier: GPL-2.0-only
// What a line says that is no result, its prefixes taken off. Each reader gives nothing for a line
// of another kind, and views into the content that it was given.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kmatrix::ktap {

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

} // namespace kmatrix::ktap

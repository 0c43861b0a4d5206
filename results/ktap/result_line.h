// SPDX-License-Identifier: GPL-2.0-only
// A result: "ok 3 - name # DIRECTIVE reason" and all that is written like it.
#pragma once

#include <cstddef>
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

// Where results of the runner begin in the content, also in the midst of other text. Theirs is the
// only form that is safe to look for there.
std::vector<std::size_t> runner_results(std::string_view content);

// Where "ok NUMBER" or "not ok NUMBER" begins in the midst of the content; only evidence from the
// lines around tells whether it is a result ("book 3").
std::optional<std::size_t> glued_result(std::string_view content, std::uint64_t number);

} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
// The log of kselftest_harness.h, which says on stderr what its tests do while their results go to
// stdout: the two may arrive in any order, so they are put together by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/ktap/ktap.h"
#include "results/ktap/lines.h"

namespace kmatrix::ktap {

struct HarnessLine {
    enum class Kind { run, ok, fail, skip };
    Kind kind = Kind::run;
    std::string_view text;  // the test's name; of a skip, its reason
    bool bracketed = false; // "[ RUN      ] NAME", an older form
};
// "RUN           NAME ...", "OK  NAME", "FAIL  NAME", "SKIP      REASON".
std::optional<HarnessLine> read_harness(std::string_view content);

// A failed test's diagnostics tell whether it ran into the harness's own time limit (`effective`),
// and which assertion failed (`reason`, where its line gave none).
void explain_failure(Test& test);

class Harness {
  public:
    // Whether the line is one of the harness's own here: an OK or FAIL without its RUN is not.
    bool take(const HarnessLine& line);
    // Text while a test runs belongs to that; false if none runs.
    bool take_text(std::string_view text);
    // The result of this test was seen, whether or not its OK or FAIL was.
    void reported(std::string_view name);
    // Gives each test its log, and adds those that ran and have no result among `tests`.
    void join(std::vector<Test>& tests);

  private:
    struct Run {
        std::string name;
        std::string status; // "pass" or "fail" as the log says; empty: it never ended
        std::string skip;   // the reason, if it was skipped
        Lines lines;
    };
    std::vector<Run> runs_;
    std::unordered_map<std::string, std::size_t> latest_; // by name, in runs_
    std::optional<std::size_t> running_;
};

} // namespace kmatrix::ktap

// SPDX-License-Identifier: GPL-2.0-only
// Test results as a kernel prints them (Documentation/dev-tools/ktap.rst; what kselftest prints is
// wider), as a tree. Reading never fails and never loses a result line: what cannot be understood
// is a diagnostic, and what does not add up is a note.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix::ktap {

// Results nested deeper than this stay beside their parent instead of under it.
inline constexpr int max_depth = 100;

struct Test {
    // Printable, at most 1,000 bytes. A result of the kselftest runner is "TARGET: TEST". A line
    // without a name gives "test 3", after its number or, without one, its place.
    std::string name;
    // As its line reports: "pass", "fail", "skip", "xfail", "xpass", "timeout", "error". "missing"
    // if it was announced (a runner's header, "# Subtest:", a harness's RUN) and never reported.
    std::string status;
    // That, or what the whole says: "fail" for an ok over a failed child, after "Bail out!" or
    // where
    // "# Totals:" counts failures that no line shows; "missing" for an ok over fewer results than
    // were planned or counted; "timeout" for a failure by kselftest_harness's own time limit.
    std::string effective;
    // What follows the directive ("exit=1", "45 seconds", why it was skipped) or the separator; of
    // a failure without either, the assertion that failed.
    std::string reason;
    // Lines that belong to it, assertion text among them; capped in the middle.
    std::vector<std::string> diagnostics;
    std::vector<Test> children;
};

// How often each `effective` status occurs, parents counted like any other test.
struct Counts {
    std::size_t pass = 0, fail = 0, skip = 0, xfail = 0, xpass = 0, timeout = 0, error = 0,
                missing = 0;
    std::size_t all() const {
        return pass + fail + skip + xfail + xpass + timeout + error + missing;
    }
};
Counts count(const std::vector<Test>& tests);

struct Report {
    std::vector<Test> tests;
    // Of the whole: "fail" if anything failed or bailed out, else "missing" if anything is, else
    // "skip" if all was skipped, else "pass". "missing" if there is no result at all.
    std::string effective;
    std::optional<std::string> bail_out; // outside any test: what followed "Bail out!"
    std::optional<std::string> skip;     // outside any test: the reason of "1..0 # SKIP reason"
    // Where plans, totals and results differ: "proc: read: 3 of 4 planned results seen". Capped.
    std::vector<std::string> notes;

    // Neither a result nor the word that everything was skipped.
    bool empty() const { return tests.empty() && !skip; }
};

class Tree;

// Reads a log piece by piece; pieces may end anywhere. Linear in time and memory whatever comes.
class Parser {
  public:
    Parser();
    Parser(Parser&&) noexcept;
    Parser& operator=(Parser&&) noexcept;
    ~Parser();

    void feed(std::string_view bytes);
    // The log ends here. The parser is as new afterwards.
    Report finish();

  private:
    std::unique_ptr<Tree> tree_;
    std::string line_; // not yet ended
};

Report parse(std::string_view text);

} // namespace kmatrix::ktap

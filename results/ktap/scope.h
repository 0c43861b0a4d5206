// SPDX-License-Identifier: GPL-2.0-only
// Results at one level of nesting, from the first sign of the level to the result of their parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/ktap/grammar.h"
#include "results/ktap/harness.h"
#include "results/ktap/ktap.h"
#include "results/ktap/lines.h"
#include "results/ktap/result_line.h"
#include "results/ktap/tally.h"

namespace kmatrix::ktap {

// What a level hands up when its parent is known, or when it is clear that it has none.
struct Closed {
    std::vector<Test> tests;
    std::vector<int> heights; // levels in each test, itself included
    Lines text;               // after the last result
    std::optional<std::string> bail_out;
    std::optional<std::string> skip;
    std::optional<std::string> subtest; // KUnit's name for the parent
    bool incomplete = false;
    bool failed = false;
    std::vector<std::string> notes;

    void append(Closed&& later);
    // Its first `count` tests, taken out of it.
    Closed take_front(std::size_t count);
};

// A level that its own "# Subtest:" line named and that no result followed, as a missing test.
Closed in_subtest(Closed&& inner);

// A "# Subtest:" line: before the level that it names (TAP 14) or its first line (KUnit).
struct Subtest {
    std::string name;
    std::size_t tests_before = 0; // results at the line's own level
    bool planned = false;         // a plan followed at its own level: KUnit's form
};

// Something like a result in the midst of a line, which the next lines prove or disprove.
struct Glued {
    std::uint64_t number = 0;
    std::string content;
    std::size_t at = 0;           // in content
    std::size_t tests_before = 0; // at this level
    std::size_t inner_before = 0; // below this level: its children
    bool in_result = false;       // content is that of the result before it
};

class Scope {
  public:
    explicit Scope(std::size_t column) : column(column) {}

    // Adds a result with what stood below it. `slot` is of a test put here as missing before.
    void add(const ResultLine& line, Closed&& inner);
    // Adds a test that was announced and never reported.
    void add_missing(std::string name, Closed&& inner);
    // Takes in what stood below this level and has no parent of its own.
    void adopt(Closed&& orphans);
    // If it is the one that the next number proves, the glued result comes in, with its children.
    void prove_glued(std::optional<std::uint64_t> next_number, Closed& inner);
    bool may_be_glued(std::string_view content) const;
    void expect_glued(std::string_view content, bool in_result, std::size_t inner_before);
    void version();
    void plan(const PlanLine& line);
    Closed close();

    bool subtest_has_own() const {
        return subtest && (subtest->planned || tests.size() > subtest->tests_before);
    }

    std::size_t column;
    bool is_ktap = false;   // by a version, a plan or a numbered result
    bool is_runner = false; // of kselftest, whose results are found in any line
    std::vector<Test> tests;
    std::optional<std::string> header; // of the runner's test that runs now
    std::optional<Subtest> subtest;
    Lines text; // since the last result
    Harness harness;
    Tally tally;
    std::optional<std::string> bail_out;
    std::optional<std::string> skip;

  private:
    void count_unnumbered();
    void attach(Test& test, Closed&& inner, std::optional<std::size_t> slot);

    std::vector<int> heights_;
    std::vector<std::string> notes_;
    std::unordered_map<std::string, std::size_t> missing_; // by name, in tests
    std::vector<std::size_t> unnumbered_;                  // in tests, not yet in the tally
    std::vector<std::size_t> words_;                       // in tests, and none after all
    std::optional<Glued> glued_;
    std::uint64_t last_number_ = 0;
    std::size_t results_ = 0;
    bool incomplete_ = false; // of orphans
    bool failed_ = false;
};

} // namespace kmatrix::ktap

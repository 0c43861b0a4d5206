// SPDX-License-Identifier: GPL-2.0-only
// Each test and subtest, on the one kernel and on the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/builds.h"
#include "results/comparison/sides.h"
#include "results/model.h"
#include "results/statistics/rate.h"

namespace kmatrix {

// One run of a test that failed, or should have reported and did not.
struct FailedRun {
    Status status = Status::missing;
    std::string line; // as TestTally::line
    std::string boot;
    int attempt = 1; // of the program in that boot
};

// All runs of one test on one kernel of one cell.
struct TestTally {
    std::size_t passed = 0; // pass, xfail, xpass: the kernel did what the test's author expects
    std::size_t failed = 0; // fail, timeout, error
    std::size_t skipped = 0;
    std::size_t missing = 0;        // it should have reported, and did not
    Status worst = Status::missing; // of all runs; meaningless where there are none
    // The line that matters of the first run that failed, else was missing, else was skipped: an
    // assertion, "killed by SIGSEGV", why it was skipped. Empty if every run passed.
    std::string line;
    std::vector<std::string> lines; // more of that run: diagnostics or the end of its output
    std::string boot;               // the boot of that run, or the first boot
    double seconds = 0;             // the mean of all runs; 0 for subtests, whose times are unknown
    std::vector<FailedRun> failures; // `failed` + `missing` of them, in the order run

    std::size_t runs() const { return passed + failed + skipped + missing; }
    // How often it failed or was missing, of the runs that were not skipped.
    statistics::Rate failing() const;
};
// For a column of a table: "-", "fail", "pass 20x", "19 of 20 pass".
std::string short_text(const TestTally& tally);

enum class TestVerdict {
    passes,       // on both
    fixed,        // fails on baseline, passes on patched
    regressed,    // passes on baseline, fails on patched; or fails more often now, significantly
    fails,        // on both
    flaky,        // passes and fails on the same kernel, and no difference in how often can be told
    appeared,     // patched reports it, and baseline does not or skips it: new
    missing,      // baseline reports it, patched does not; or neither
    skipped,      // on patched, or on both
    not_compared, // a side never got to run it
};
std::string_view to_string(TestVerdict verdict); // "passes", "fixed", ..., "not compared"

struct TestComparison {
    std::string cell;
    std::string target; // "proc"
    std::string test;   // "proc-maps-race"
    // Whose tree the program came from. A series that edits a selftest has it run in both forms.
    Kernel origin = Kernel::patched;
    // Names from the outermost, joined by '/'; a name that repeats gets " (2)". Empty: the program
    // itself, by its exit status.
    std::string subtest;
    int depth = 0; // 0 the program, 1 its subtests, ...
    Sides<TestTally> side;
    TestVerdict verdict = TestVerdict::not_compared;
    std::string why; // a sentence; empty where there is nothing to say
    // What makes up the counts: leaves, and a program or inner result whose trouble none of those
    // under it explains.
    bool counted = true;
    // Runs mixed on some side: Fisher's one-sided p that it fails more often now.
    std::optional<double> p_fails_more;
    bool emulated = false;
    // How often it failed in earlier runs on kernels without any series, if that is known. Known of
    // what is not simply well. It is said, and changes no verdict.
    std::optional<statistics::Rate> earlier;
    // Of what is worse now and failed before: Fisher's one-sided p that the patched kernel fails
    // more often than those and this run's baseline together.
    std::optional<double> p_against_earlier;
};

// Of what regressed, fails, is flaky or is missing a reader asks how often it did so before.
bool is_in_question(TestVerdict verdict);

// "proc: proc-maps-race", "proc: proc-maps-race: maps.tearing", with " (baseline's)" after the
// program where the origin is baseline.
std::string name(const TestComparison& test);

// Without whose tree it is from: "proc: proc-maps-race: maps.tearing".
std::string plain_name(const TestComparison& test);

// `why` and earlier_text(), for a report's line.
std::string whole_why(const TestComparison& test);

// "but it failed 3 of 41 times on unpatched kernels before; chance may explain this, p 0.093";
// empty where nothing is known.
std::string earlier_text(const TestComparison& test);

// Passes on baseline and fails, or is missing, on patched.
bool is_worse(const TestComparison& test);

// In the matrix's order of cells; programs in the order seen, each before its subtests.
std::vector<TestComparison> compare_tests(const RunResult& run,
                                          const std::vector<BuildComparison>& builds);

struct TestCounts {
    std::size_t passes = 0, fixed = 0, regressed = 0, fails = 0, flaky = 0, appeared = 0,
                missing = 0, skipped = 0, not_compared = 0;
    std::size_t all() const;
};
// Of the counted ones, in one cell or (empty) in all.
TestCounts count(const std::vector<TestComparison>& tests, std::string_view cell = {});
// All but those that pass on both, worst first: "2 regressed", "1 fail on both".
std::vector<std::string> other_counts(const TestCounts& counts);
// "12 pass", where some do, and the others.
std::vector<std::string> all_counts(const TestCounts& counts);

} // namespace kmatrix

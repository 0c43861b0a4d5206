// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/tally.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "results/ktap/words.h"

namespace kmatrix::ktap {
namespace {

struct Seen {
    std::uint64_t all = 0, failed = 0;
};

// kselftest.h counts what it printed at this level, KUnit the results that have none below them.
Seen count_leaves(const std::vector<Test>& tests) {
    Seen seen;
    for (const Test& test : tests) {
        if (test.children.empty()) {
            seen.all += test.status != "missing";
            seen.failed += is_failure(test.status);
            continue;
        }
        const Seen below = count_leaves(test.children);
        seen.all += below.all;
        seen.failed += below.failed;
    }
    return seen;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() - b
               ? std::numeric_limits<std::uint64_t>::max()
               : a + b;
}

} // namespace

void Tally::version() {
    if (planned_ || seen_ > 0)
        close();
}

void Tally::plan(std::uint64_t count) {
    if (planned_ && seen_ > 0) {
        if (count == seen_) // the plan again, at the end
            return;
        close();
    }
    planned_ = count;
}

void Tally::totals(const TotalsLine& line) {
    if (!totals_)
        totals_ = TotalsLine{};
    totals_->all = sum(totals_->all, line.all);
    totals_->failed = sum(totals_->failed, line.failed);
}

void Tally::planned_run(const PlannedRun& line) {
    outcome_.incomplete = outcome_.incomplete || line.run < line.planned;
    outcome_.notes.push_back(
        fmt::format("says itself that {} of {} planned tests ran", line.run, line.planned));
}

void Tally::close() {
    if (planned_ && seen_ < *planned_) {
        outcome_.incomplete = true;
        outcome_.notes.push_back(fmt::format("{} of {} planned results seen", seen_, *planned_));
    } else if (planned_ && seen_ > *planned_) {
        outcome_.notes.push_back(
            fmt::format("{} results seen where {} were planned", seen_, *planned_));
    }
    planned_before_ = sum(planned_before_, planned_.value_or(0));
    seen_before_ += seen_;
    seen_ = 0;
    planned_.reset();
}

Tally::Outcome Tally::finish(const std::vector<Test>& tests) {
    close();
    if (totals_) {
        Seen here{seen_before_, 0};
        for (const Test& test : tests)
            here.failed += is_failure(test.status);
        const Seen leaves = count_leaves(tests);
        const auto [fewest, most] = std::minmax(here.all, leaves.all);
        if (totals_->all > most || totals_->all < fewest) {
            outcome_.incomplete = outcome_.incomplete || totals_->all > most;
            if (totals_->all != planned_before_) // else the plan's note has said so
                outcome_.notes.push_back(
                    fmt::format("totals count {} results, {} seen", totals_->all, here.all));
        }
        if (totals_->failed > std::max(here.failed, leaves.failed)) {
            outcome_.failed = true;
            outcome_.notes.push_back(fmt::format("totals count {} failures, {} seen",
                                                 totals_->failed,
                                                 std::max(here.failed, leaves.failed)));
        }
    }
    return std::exchange(outcome_, {});
}

} // namespace kmatrix::ktap

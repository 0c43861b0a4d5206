// SPDX-License-Identifier: GPL-2.0-only
// Whether as many results came as plans and totals say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/ktap/grammar.h"
#include "results/ktap/ktap.h"

namespace kmatrix::ktap {

class Tally {
  public:
    // A version line, or another plan after results, begins a new count: one program after another
    // may write at the same level.
    void version();
    void plan(std::uint64_t count);
    void result() { ++seen_; }
    std::uint64_t seen() const { return seen_; }
    void totals(const TotalsLine& line);
    void planned_run(const PlannedRun& line);

    // How many results the current count still waits for; none if there is no plan.
    std::optional<std::uint64_t> awaited() const {
        if (!planned_)
            return {};
        return *planned_ > seen_ ? *planned_ - seen_ : 0;
    }

    struct Outcome {
        bool incomplete = false; // fewer results than planned or counted
        bool failed = false;     // more failures counted than seen
        std::vector<std::string> notes;
    };
    Outcome finish(const std::vector<Test>& tests);

  private:
    void close();

    std::optional<std::uint64_t> planned_;
    std::uint64_t seen_ = 0;
    std::uint64_t seen_before_ = 0; // in counts that are closed
    std::uint64_t planned_before_ = 0;
    std::optional<TotalsLine> totals_;
    Outcome outcome_;
};

} // namespace kmatrix::ktap

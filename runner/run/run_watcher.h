// SPDX-License-Identifier: GPL-2.0-only
// What happens to the results of a run as they come: kept on disk, shown, and remembered for the
// next estimate.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "matrix/estimate.h"
#include "results/store.h"
#include "runner/engine/engine.h"
#include "runner/progress.h"
#include "runner/run/spent.h"

namespace kmatrix {

class RunWatcher : public Watcher {
  public:
    RunWatcher(const Matrix& matrix, const Plan& plan, const Host& host, const Store& store,
               Progress& progress, RunResult& result, Durations& durations)
        : matrix_(matrix), plan_(plan), host_(host), store_(store), progress_(progress),
          result_(result), durations_(durations) {}

    double expected_s(const Task& task) const;

    void started(const Task& task) override;
    Result<void> finished(const Task& task, const Result<TaskResult>& result) override;
    void left_out(const Task& task, const std::string& why) override;

    // What the tasks took that have ended, in that order. Dependencies are in the plan's order.
    const std::vector<TaskCost>& costs() const { return costs_; }

  private:
    using Clock = std::chrono::steady_clock;

    void forget(const Task& task);
    Result<void> keep(const Task& task, const BuildResult& build);
    Result<void> keep(const Task& task, const ImageReady& image);
    Result<void> keep(const Task& task, const BootResult& boot);

    const Matrix& matrix_;
    const Plan& plan_;
    const Host& host_;
    const Store& store_;
    Progress& progress_;
    RunResult& result_;
    Durations& durations_;
    const Clock::time_point created_ = Clock::now();
    std::map<std::string, Clock::time_point> begun_;
    std::vector<TaskCost> costs_;
};

} // namespace kmatrix

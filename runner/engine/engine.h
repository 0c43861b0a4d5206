// SPDX-License-Identifier: GPL-2.0-only
// Runs tasks: starts what the schedule allows, hands on what comes out, stops when told to.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "results/model.h"
#include "runner/engine/schedule.h"
#include "runner/engine/tasks.h"

namespace kmatrix {

struct ImageReady {
    double cpu_s = 0; // that it took
};
using TaskResult = std::variant<BuildResult, ImageReady, BootResult>;

// Does a task. Cancelled, it leaves nothing running and throws asio's operation_aborted.
class Stages {
  public:
    Stages() = default;
    Stages(const Stages&) = delete;
    Stages& operator=(const Stages&) = delete;
    virtual ~Stages() = default;
    virtual boost::asio::awaitable<Result<TaskResult>> run(const Task& task) = 0;
    // Whether the files that the task makes are at hand already, so that it need not be run.
    virtual bool has(const Task&) const { return false; }
};

// Why a task is left out whose dependency failed.
inline constexpr const char* missing_dependency = "what it needs is not there";

// Told of everything, in order. An Error means that results cannot be kept: the run stops.
class Watcher {
  public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    virtual ~Watcher() = default;
    virtual void started(const Task& task) = 0;
    virtual Result<void> finished(const Task& task, const Result<TaskResult>& result) = 0;
    virtual void left_out(const Task& task, const std::string& why) = 0;
};

struct EngineOptions {
    Capacity capacity;
    // Ids of tasks that an earlier run has done, and how.
    std::set<std::string> good, bad;
    // No task starts that would, by `expected_s`, end after it.
    std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
    std::function<double(const Task&)> expected_s = {};
};

enum class EngineEnd { done, out_of_time, interrupted };

// Cancelling it cancels what runs, waits for that, leaves out the rest and returns `interrupted`.
boost::asio::awaitable<Result<EngineEnd>> run_tasks(const std::vector<Task>& tasks, Stages& stages,
                                                    Watcher& watcher, EngineOptions options);

} // namespace kmatrix

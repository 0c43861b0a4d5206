// SPDX-License-Identifier: GPL-2.0-only
// Which task may start now. Decides; does nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "runner/engine/tasks.h"

namespace kmatrix {

struct Capacity {
    int cpus = 1;       // of the host
    int memory_mib = 0; // that guests may take together
};

enum class TaskState {
    waiting,
    running,
    good,    // its dependants may start
    bad,     // a verdict or an error: its dependants cannot
    left_out // not started: budget, interruption, or something before it was bad
};

class Schedule {
  public:
    Schedule(const std::vector<Task>& tasks, Capacity capacity);

    // The next task to start. Nothing: wait until a running one finishes, or, with none running,
    // all is done.
    std::optional<std::size_t> next() const;

    void start(std::size_t task);
    // Also of a task that was done by an earlier run. Returns the tasks that are left out by that.
    std::vector<std::size_t> finish(std::size_t task, bool good);
    // Leaves out a waiting task and all that need it, and returns them.
    std::vector<std::size_t> leave_out(std::size_t task);

    TaskState state(std::size_t task) const { return states_.at(task); }
    std::size_t running() const { return running_; }

  private:
    bool has_room(const Task& task) const;
    std::size_t& counter(Room room);
    std::set<std::size_t>& ready(Room room);
    std::optional<std::size_t> next_shared() const;
    bool may_go(std::size_t task) const;
    std::size_t most_shared() const;
    void enter(std::size_t task, TaskState state);
    std::vector<std::size_t> leave_out_all(std::vector<std::size_t> tasks);

    const std::vector<Task>& tasks_;
    Capacity capacity_;
    std::vector<TaskState> states_;
    std::vector<std::vector<std::size_t>> dependants_;
    std::vector<std::size_t> blockers_; // tasks in `after` that are not good yet
    std::size_t running_ = 0;
    std::size_t running_compilers_ = 0, running_shared_ = 0, running_alone_ = 0;
    std::size_t waiting_alone_ = 0; // ready or not
    int memory_mib_ = 0;            // of running guests
    // Tasks that wait for room alone, lowest index first.
    std::set<std::size_t> ready_compilers_, ready_shared_, ready_alone_;
};

} // namespace kmatrix

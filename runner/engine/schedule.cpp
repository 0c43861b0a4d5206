// SPDX-License-Identifier: GPL-2.0-only
#include "runner/engine/schedule.h"

#include <algorithm>
#include <cassert>

namespace kmatrix {

Schedule::Schedule(const std::vector<Task>& tasks, Capacity capacity)
    : tasks_(tasks), capacity_(capacity), states_(tasks.size(), TaskState::waiting),
      dependants_(tasks.size()), blockers_(tasks.size()) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        blockers_[i] = tasks[i].after.size();
        waiting_alone_ += tasks[i].room == Room::alone;
        if (blockers_[i] == 0)
            ready(tasks[i].room).insert(i);
        for (const std::size_t before : tasks[i].after) {
            assert(before < i);
            dependants_[before].push_back(i);
        }
    }
}

std::optional<std::size_t> Schedule::next() const {
    if (running_alone_ > 0)
        return std::nullopt;
    std::optional<std::size_t> first = next_shared();
    if (running_compilers_ == 0 && !ready_compilers_.empty()) {
        const std::size_t build = *ready_compilers_.begin();
        if (may_go(build) && (!first || build < *first))
            first = build;
    }
    if (first)
        return first;
    // Something else runs, or will as soon as what it needs is there.
    if (running_ > 0 || ready_alone_.empty())
        return std::nullopt;
    return *ready_alone_.begin();
}

// What is extra does not delay a measurement.
bool Schedule::may_go(std::size_t task) const {
    return !tasks_[task].is_extra || waiting_alone_ == 0;
}

std::optional<std::size_t> Schedule::next_shared() const {
    if (running_shared_ >= most_shared())
        return std::nullopt;
    const auto fits = std::find_if(ready_shared_.begin(), ready_shared_.end(),
                                   [&](std::size_t i) { return may_go(i) && has_room(tasks_[i]); });
    return fits == ready_shared_.end() ? std::nullopt : std::optional(*fits);
}

// At least one guest always fits: a host with too little memory finds out from the emulator.
bool Schedule::has_room(const Task& task) const {
    if (running_shared_ == 0)
        return true;
    return running_shared_ < most_shared() && memory_mib_ + task.memory_mib <= capacity_.memory_mib;
}

// An emulated guest keeps about two CPUs busy, whatever its number of vCPUs.
std::size_t Schedule::most_shared() const {
    return static_cast<std::size_t>(std::max(1, capacity_.cpus / 2));
}

std::size_t& Schedule::counter(Room room) {
    switch (room) {
    case Room::compiler:
        return running_compilers_;
    case Room::shared:
        return running_shared_;
    case Room::alone:
        break;
    }
    return running_alone_;
}

std::set<std::size_t>& Schedule::ready(Room room) {
    switch (room) {
    case Room::compiler:
        return ready_compilers_;
    case Room::shared:
        return ready_shared_;
    case Room::alone:
        break;
    }
    return ready_alone_;
}

void Schedule::enter(std::size_t task, TaskState state) {
    if (states_[task] == TaskState::waiting) {
        waiting_alone_ -= tasks_[task].room == Room::alone;
        ready(tasks_[task].room).erase(task);
    }
    states_[task] = state;
}

void Schedule::start(std::size_t task) {
    assert(states_.at(task) == TaskState::waiting);
    enter(task, TaskState::running);
    ++running_;
    ++counter(tasks_[task].room);
    memory_mib_ += tasks_[task].memory_mib;
}

std::vector<std::size_t> Schedule::finish(std::size_t task, bool good) {
    if (states_.at(task) == TaskState::running) {
        --running_;
        --counter(tasks_[task].room);
        memory_mib_ -= tasks_[task].memory_mib;
    }
    enter(task, good ? TaskState::good : TaskState::bad);
    std::vector<std::size_t> out;
    for (const std::size_t dependant : dependants_[task]) {
        if (good && --blockers_[dependant] == 0 && states_[dependant] == TaskState::waiting)
            ready(tasks_[dependant].room).insert(dependant);
        else if (!good && states_[dependant] == TaskState::waiting)
            out.push_back(dependant);
    }
    return leave_out_all(std::move(out));
}

std::vector<std::size_t> Schedule::leave_out(std::size_t task) {
    assert(states_.at(task) == TaskState::waiting);
    return leave_out_all({task});
}

std::vector<std::size_t> Schedule::leave_out_all(std::vector<std::size_t> out) {
    for (const std::size_t task : out)
        enter(task, TaskState::left_out);
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (const std::size_t dependant : dependants_[out[i]]) {
            if (states_[dependant] != TaskState::waiting)
                continue;
            enter(dependant, TaskState::left_out);
            out.push_back(dependant);
        }
    }
    return out;
}

} // namespace kmatrix

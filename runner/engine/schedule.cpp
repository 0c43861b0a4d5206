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
        for (const std::size_t before : tasks[i].after) {
            assert(before < i);
            dependants_[before].push_back(i);
        }
    }
}

std::optional<std::size_t> Schedule::next() const {
    if (running_alone_ > 0)
        return std::nullopt;
    while (first_waiting_ < tasks_.size() && states_[first_waiting_] != TaskState::waiting)
        ++first_waiting_;
    std::optional<std::size_t> alone;
    bool is_alone_waiting = false;
    for (std::size_t i = first_waiting_; i < tasks_.size(); ++i) {
        if (states_[i] != TaskState::waiting)
            continue;
        is_alone_waiting |= tasks_[i].room == Room::alone;
        if (blockers_[i] > 0 || (tasks_[i].is_extra && is_alone_waiting))
            continue;
        switch (tasks_[i].room) {
        case Room::compiler:
            if (running_compilers_ == 0)
                return i;
            break;
        case Room::shared:
            if (has_room(tasks_[i]))
                return i;
            break;
        case Room::alone:
            if (!alone)
                alone = i;
            break;
        }
    }
    // Something else runs, or will as soon as what it needs is there.
    return running_ == 0 ? alone : std::nullopt;
}

// At least one guest always fits: a host with too little memory finds out from the emulator.
bool Schedule::has_room(const Task& task) const {
    if (running_shared_ == 0)
        return true;
    // An emulated guest keeps about two CPUs busy, whatever its number of vCPUs.
    const auto most = static_cast<std::size_t>(std::max(1, capacity_.cpus / 2));
    return running_shared_ < most && memory_mib_ + task.memory_mib <= capacity_.memory_mib;
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

void Schedule::start(std::size_t task) {
    assert(states_.at(task) == TaskState::waiting);
    states_[task] = TaskState::running;
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
    states_[task] = good ? TaskState::good : TaskState::bad;
    std::vector<std::size_t> out;
    for (const std::size_t dependant : dependants_[task]) {
        if (good)
            --blockers_[dependant];
        else if (states_[dependant] == TaskState::waiting)
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
        states_[task] = TaskState::left_out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (const std::size_t dependant : dependants_[out[i]]) {
            if (states_[dependant] != TaskState::waiting)
                continue;
            states_[dependant] = TaskState::left_out;
            out.push_back(dependant);
        }
    }
    return out;
}

} // namespace kmatrix

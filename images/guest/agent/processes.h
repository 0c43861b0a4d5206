// SPDX-License-Identifier: GPL-2.0-only
// Processes below the agent: all of them, whoever started them. The agent is init, or a subreaper
// where it is not, so that orphans become its children and none gets lost.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "images/guest/agent/files.h"

namespace kmatrix::guest {

// Becomes a subreaper, and gets a descriptor that is readable when a child has ended. One at a
// time: SIGCHLD is the process's.
class ChildWatch {
  public:
    ChildWatch();
    ChildWatch(const ChildWatch&) = delete;
    ChildWatch& operator=(const ChildWatch&) = delete;
    ~ChildWatch();

    int fd() const { return pipe_.read_end.get(); }
    // Forgets that the descriptor is readable.
    void clear() const;

  private:
    Pipe pipe_;
};

// Takes in every child that has ended. Returns the wait status of `leader` if it was among them.
// `none_left` is set if there are no children any more.
std::optional<int> reap(pid_t leader, bool& none_left);

// Kills every process below this one and takes them in; `status` is set if `leader` was among them
// and had not been taken in before. False if some do not die in time (they hang in the kernel).
bool kill_everything(const ChildWatch& watch, pid_t leader, std::optional<int>& status,
                     std::chrono::milliseconds limit);

// "pid (name)" of all processes below this one, without those that have ended.
std::vector<std::string> names_below();

// Runs a program to its end and returns its stdout; empty if it cannot be run.
std::string output_of(const std::vector<std::string>& argv);

} // namespace kmatrix::guest

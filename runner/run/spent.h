// SPDX-License-Identifier: GPL-2.0-only
// What a run took, beside what it cannot take less of on this machine.
#pragma once

#include <string>
#include <vector>

namespace kmatrix {

struct TaskCost {
    std::string id;
    double begin_s = 0;             // after the run's start
    double seconds = 0;             // from its start to its end
    double cpu_s = 0;               // of all its processes, the emulator among them
    bool alone = false;             // nothing else may run beside it
    std::vector<std::string> after; // ids of the tasks that it needs
};

struct Spent {
    double wall_s = 0;
    int cpus = 1;
    std::vector<TaskCost> tasks; // in an order in which each comes after what it needs
    double repeated_s = 0;       // of work that had to be done again
};

// No order of these tasks on this machine ends sooner than the largest of the three.
struct Bound {
    double cpu_s = 0;   // the tasks' CPU time, divided by the number of CPUs
    double chain_s = 0; // of the longest chain of tasks that need one another
    double alone_s = 0; // of those that must run alone, one after the other

    double seconds() const;
};
Bound bound(const Spent& spent);

// "30 min 04 s, 1.08 times the least possible here (27 min 50 s: the CPU time of its work on 2
// CPUs); nothing was done twice"
std::string spent_text(const Spent& spent);

// All of it, and the bound: spent.json in the run's directory.
std::string spent_json(const Spent& spent);

} // namespace kmatrix

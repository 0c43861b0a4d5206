// SPDX-License-Identifier: GPL-2.0-only
// A plan as a graph of tasks: what has to be done, after what, and how much of the machine it
// takes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "matrix/host.h"
#include "matrix/matrix.h"

namespace kmatrix {

// Build a kernel. The patched one starts from what the baseline's build left.
struct BuildTask {
    BuildKey key;
    Kernel kernel = Kernel::baseline;
    int patches = 0; // the first so many of the series alone; 0: all
};
// Build the selftests of an architecture and the image that its guests boot with.
struct ImageTask {
    Arch arch = Arch::x86_64;
};
struct BootTask {
    std::size_t boot = 0; // index into Plan::boots
};
using Work = std::variant<BuildTask, ImageTask, BootTask>;

enum class Room {
    compiler, // one at a time: make uses every CPU
    shared,   // beside others as long as CPUs and memory last
    alone     // with nothing else on the machine: it measures time
};

struct Task {
    std::string id; // unique: "build x86_64-default-gcc baseline", "image arm64", a boot's id
    Work work;
    Room room = Room::compiler;
    int memory_mib = 0;             // that a guest takes
    std::vector<std::size_t> after; // tasks that must have gone well before; all of lower index
    bool is_extra = false;          // not while a benchmark waits: the run's own verdict goes first
};

// In the order in which they should start where nothing speaks against it. steps: kernels between
// baseline and patched (RunResult::steps()), which are extra and come last.
std::vector<Task> make_tasks(const Matrix& matrix, const Plan& plan, int steps = 0);

// The id of the task that builds this kernel.
std::string build_task_id(const BuildKey& key, Kernel kernel, int patches = 0);

} // namespace kmatrix

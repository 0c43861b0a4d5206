// SPDX-License-Identifier: GPL-2.0-only
// One sample: a mapper, its scanners and busy tasks, started in that order, and what they say.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "images/guest/latency/child.h"
#include "images/guest/latency/options.h"
#include "images/guest/latency/shared.h"

namespace kmatrix::guest {

// Which CPUs do what.
struct CpuRoles {
    int mapper = 0;
    std::vector<int> busy; // each has one scanner and Options::busytasks busy tasks
};

// The CPUs that this process may use, in order.
std::vector<int> usable_cpus();

// The mapper gets the first CPU, and the busy CPUs are the last ones needed, after one that is left
// to the controlling process if there are enough (run-proc-vs-map.sh does it so). An error if there
// are too few for one mapper and `busycpus` more.
Expected<CpuRoles> assign_cpus(const std::vector<int>& usable, int busycpus);

struct SampleFigures {
    int index = 1; // from 1
    MapperFigures mapper;
    std::uint64_t scans = 0;      // whole reads that ended in the sample
    std::uint64_t scan_bytes = 0; // read in it
    std::uint64_t busy_loops = 0; // times a busy task was busy in it
    std::vector<int> cpus; // where mapper, scanners and busy tasks found themselves; distinct
};

// Takes the sample. `on_ready` is called with the mapper's number of VMAs before timing starts.
// An error, never figures, if any of the processes did not run throughout: each scanner must have
// read bytes, and each busy task been busy, between the mapper's first call and its last.
Expected<SampleFigures> take_sample(const Options& options, const CpuRoles& cpus, int index,
                                    const std::function<void(std::int64_t vmas)>& on_ready);

// The rules on a sample that need no processes, for take_sample.
Expected<SampleFigures> judge(const SharedState& shared, int index);

// Refuses a sample whose address space was another one than the first sample's, by
// allowed_vma_change; to be asked where Options::fragment is set.
Expected<void> same_address_space(const SampleFigures& first, const SampleFigures& sample,
                                  std::size_t page_bytes);

} // namespace kmatrix::guest

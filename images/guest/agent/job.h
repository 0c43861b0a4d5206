// SPDX-License-Identifier: GPL-2.0-only
// Runs one job: output goes to the channel as it comes, the time limit holds for everything that
// the job started, and nothing of it is left when it is over.
#pragma once

#include <chrono>
#include <cstdint>

#include "images/guest/agent/channel.h"
#include "images/guest/agent/plan.h"
#include "images/guest/agent/processes.h"
#include "images/guest/agent/records.h"

namespace kmatrix::guest {

struct JobLimits {
    std::uint64_t output_bytes = std::uint64_t{16}
                                 << 20;      // sent; what is beyond is read and dropped
    std::chrono::milliseconds dying{10'000}; // how long a killed process may take
};

// Sends the records "start", "output", "end". While the host does not read, the job's output waits
// in its pipes, its time limit goes on, and the end is still sent.
JobEnd run_job(const Job& job, const JobLimits& limits, Channel& channel, const ChildWatch& watch);

} // namespace kmatrix::guest

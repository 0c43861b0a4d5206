// SPDX-License-Identifier: GPL-2.0-only
// How long a boot may take, and each part of it.
#pragma once

#include <chrono>

#include "matrix/matrix.h"

namespace kmatrix {

// Every limit is generous: it tells a guest that will never end from one that is slow, no more.
struct Deadlines {
    using Duration = std::chrono::milliseconds;

    Duration boot{};         // from power-on until the agent speaks
    Duration boot_silence{}; // nothing on the console, before that
    Duration idle_silence{}; // nothing on console and channel while no job runs
    Duration job_slack{};    // beyond a job's own limit, which the agent in the guest enforces
    Duration shutdown{};     // from the agent's last record until the machine is off
    Duration total{};        // from power-on until the machine is off
};

// `jobs_s`: the limits of all jobs of the boot together, in seconds, stretched already as the agent
// is told them.
//
// Under emulation vCPUs share the host's CPUs, and the time until the agent speaks grows faster
// than their number. Measured with two host CPUs, idle: x86_64 3 s with 8, 9 s with 16, 31 s with
// 24; arm64 3 s with 24 and 7 to over 100 s with 48. The limits are some 20 times the usual, since
// several guests and a compiler may share the host.
Deadlines deadlines(Accel accel, int vcpus, double jobs_s);

} // namespace kmatrix

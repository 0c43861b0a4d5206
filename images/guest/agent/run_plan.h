// SPDX-License-Identifier: GPL-2.0-only
// What the agent is for: a plan's jobs, one after the other, and their records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "images/guest/agent/channel.h"

namespace kmatrix::guest {

struct PlanOptions {
    bool set_sysctls = true;             // not in a process that is no init
    std::vector<std::string> notes = {}; // to be sent after "hello"
};

// From "hello" to "done" or "error". The error is returned, too; empty: all jobs were run.
std::string run_plan(std::string_view plan, const PlanOptions& options, Channel& channel);

} // namespace kmatrix::guest

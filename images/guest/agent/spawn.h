// SPDX-License-Identifier: GPL-2.0-only
// Starts a job's process: a group of its own, nothing on stdin, a small environment, stdout and
// stderr in two pipes.
#pragma once

#include <sys/types.h>

#include <string>

#include "images/guest/agent/files.h"
#include "images/guest/agent/plan.h"

namespace kmatrix::guest {

struct Spawned {
    pid_t pid = -1;
    Fd out; // read ends; they do not block
    Fd err;
};

// The error says what could not be run, where, and why.
Expected<Spawned> spawn(const Job& job);

// PATH, HOME, LANG and TERM, and the job's own, which win.
std::vector<std::string> environment_of(const Job& job);

} // namespace kmatrix::guest

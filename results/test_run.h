// SPDX-License-Identifier: GPL-2.0-only
// From what the agent said of a job to a test's result.
#pragma once

#include <string>

#include "matrix/test_id.h"
#include "results/model.h"
#include "results/transcript.h"

namespace kmatrix {

// `outcome` is null for a job that was never heard of. Status by exit status, as kselftest has it
// (tools/testing/selftests/kselftest.h): 0 pass, 2 xfail, 3 xpass, 4 skip, else fail.
TestRun test_run(const TestId& id, const JobOutcome* outcome);

// "SIGSEGV"; "signal 40" for one without a name.
std::string signal_name(int signal);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// From what the agent said of a job to a test's result.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "results/model.h"
#include "results/transcript.h"

namespace kmatrix {

// A test's job is called "TARGET:TEST#ATTEMPT", that of the baseline's own version of a test
// "TARGET:TEST#ATTEMPT@baseline".
struct TestJob {
    std::string target;
    std::string test;
    int attempt = 1;
    Kernel origin = Kernel::patched;

    bool operator==(const TestJob&) const = default;
};
std::string job_id(const TestJob& job);
std::optional<TestJob> read_job_id(std::string_view id); // nothing: no test's job

// `outcome` is null for a job that was never heard of. Status by exit status, as kselftest has it
// (tools/testing/selftests/kselftest.h): 0 pass, 2 xfail, 3 xpass, 4 skip, else fail.
TestRun test_run(const TestJob& job, const JobOutcome* outcome);

// "SIGSEGV"; "signal 40" for one without a name.
std::string signal_name(int signal);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What one boot has to do, for the agent: jobs made of a cell's selftests, or of one benchmark.
// All of it is values in, values out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/test_id.h"

namespace kmatrix {

struct Job {
    std::string id; // unique in the boot; see test_id, benchmark_id
    std::vector<std::string> argv;
    std::string cwd;
    int timeout_s = 0; // 0: none
    std::vector<std::string> environment;
};

struct BootPlan {
    std::map<std::string, std::string> sysctls; // "kernel.hung_task_timeout_secs": "420"
    std::vector<Job> jobs;
};

// As images/protocol.h has it.
std::string plan_json(const BootPlan& plan);

// ---- Selftests ---------------------------------------------------------------------------------

// Where the selftests of a tree lie in the guest: "/selftests/patched", below it a folder a target.
std::string selftests_path(Kernel origin);

// kselftest-list.txt as `make install` writes it: a line "TARGET:TEST" each. Other lines are
// ignored.
std::vector<TestName> parse_test_list(std::string_view text);

// The key `timeout` of a target's file `settings`, in seconds; 0 means none. Lines are key=value,
// '#' begins a comment; the last one counts (tools/testing/selftests/kselftest/runner.sh).
std::optional<int> settings_timeout_s(std::string_view text);

// kselftest's limit where neither the matrix nor `settings` says another (runner.sh).
inline constexpr int default_test_timeout_s = 45;

// What `make install` installed from one tree.
struct InstalledTests {
    std::vector<TestName> tests;
    std::map<std::string, int> timeouts_s; // by target, of its `settings`; 0: none
};

struct TestJobs {
    std::vector<Job> jobs;
    // Asked for and not installed: by name, or a whole target of which nothing is (test is empty).
    std::vector<TestName> missing;
};

// The jobs that the selftests of a cell ask for, in the matrix file's order. A test that an entry
// names is not run again by an entry for its whole target. Limits are multiplied by `stretch`
// (1 on hardware, more under emulation).
TestJobs selftest_jobs(const std::vector<Selftest>& selftests, const InstalledTests& installed,
                       Kernel origin, double stretch);

// ---- Benchmarks --------------------------------------------------------------------------------

inline constexpr const char* latency_path = "/kmatrix/procfs-latency";

// "benchmark:smaps_rollup".
std::string benchmark_id(const Benchmark& benchmark);

// Where the folder of a benchmark of the user's own lies in the guest: "/bench/NAME".
std::string benchmark_path(const Benchmark& benchmark);

// One boot's worth of the benchmark: procfs-latency with exactly its options, or, where it has a
// `command`, ./run in benchmark_path.
Job benchmark_job(const Benchmark& benchmark, double stretch);

} // namespace kmatrix

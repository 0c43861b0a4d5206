// SPDX-License-Identifier: GPL-2.0-only
#include "images/plan.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> ids(const TestJobs& jobs) {
    std::vector<std::string> result;
    for (const Job& job : jobs.jobs) {
        result.push_back(job.id);
    }
    return result;
}

Selftest selftest(const std::string& target, const std::string& test) {
    Selftest result;
    result.target = target;
    result.test = test;
    return result;
}

TEST(PlanJson, AsTheProtocolHasIt) {
    BootPlan plan;
    plan.sysctls["kernel.hung_task_timeout_secs"] = "420";
    plan.jobs.push_back({"proc:read#1", {"./read", "-v"}, "/selftests/patched/proc", 45, {"A=b"}});
    EXPECT_EQ(plan_json(plan), R"({
  "protocol": 1,
  "sysctls": {
    "kernel.hung_task_timeout_secs": "420"
  },
  "jobs": [
    {
      "id": "proc:read#1",
      "argv": [
        "./read",
        "-v"
      ],
      "cwd": "/selftests/patched/proc",
      "timeout_s": 45,
      "environment": [
        "A=b"
      ]
    }
  ]
}
)");
    EXPECT_EQ(plan_json({}), "{\n  \"protocol\": 1,\n  \"jobs\": []\n}\n");
}

TEST(TestList, Lines) {
    EXPECT_THAT(parse_test_list("proc:proc-maps-race\nmm:run_vmtests.sh\r\n\nnonsense\n"
                                "net/forwarding:a.sh"),
                ElementsAre(TestName{"proc", "proc-maps-race"}, TestName{"mm", "run_vmtests.sh"},
                            TestName{"net/forwarding", "a.sh"}));
    EXPECT_THAT(parse_test_list(""), IsEmpty());
}

TEST(Settings, Timeout) {
    EXPECT_EQ(settings_timeout_s("timeout=900\n"), 900);
    EXPECT_EQ(settings_timeout_s("# timeout=1\n\ntimeout = 0 # none\n"), 0);
    EXPECT_EQ(settings_timeout_s("timeout=60\ntimeout=3600"), 3600);
    EXPECT_EQ(settings_timeout_s("other=1\n"), std::nullopt);
    EXPECT_EQ(settings_timeout_s("timeout=soon\n"), std::nullopt);
    EXPECT_EQ(settings_timeout_s(""), std::nullopt);
}

class SelftestJobs : public testing::Test {
  protected:
    InstalledTests installed{parse_test_list("proc:read\nproc:self\nmm:mkdirty\ntimers:posix\n"),
                             {{"mm", 900}, {"timers", 0}}};
};

TEST_F(SelftestJobs, OneTest) {
    const auto result = selftest_jobs({selftest("proc", "self")}, installed, Kernel::patched, 1);
    ASSERT_EQ(result.jobs.size(), 1u);
    EXPECT_EQ(result.jobs[0].id, "proc:self#1");
    EXPECT_THAT(result.jobs[0].argv, ElementsAre("./self"));
    EXPECT_EQ(result.jobs[0].cwd, "/selftests/patched/proc");
    EXPECT_EQ(result.jobs[0].timeout_s, 45);
    EXPECT_THAT(result.missing, IsEmpty());
}

TEST_F(SelftestJobs, AWholeTargetAndRepeats) {
    auto all = selftest("proc", "");
    all.repeat = 2;
    const auto result = selftest_jobs({all}, installed, Kernel::baseline, 1);
    EXPECT_THAT(ids(result), ElementsAre("proc:read#1@baseline", "proc:read#2@baseline",
                                         "proc:self#1@baseline", "proc:self#2@baseline"));
    EXPECT_EQ(result.jobs[0].cwd, "/selftests/baseline/proc");
}

TEST_F(SelftestJobs, ANamedTestIsNotRunAgainByItsTarget) {
    auto named = selftest("proc", "read");
    named.repeat = 3;
    EXPECT_THAT(ids(selftest_jobs({selftest("proc", ""), named}, installed, Kernel::patched, 1)),
                ElementsAre("proc:self#1", "proc:read#1", "proc:read#2", "proc:read#3"));
}

TEST_F(SelftestJobs, ATestNamedTwiceKeepsDistinctIds) {
    EXPECT_THAT(ids(selftest_jobs({selftest("proc", "read"), selftest("proc", "read")}, installed,
                                  Kernel::patched, 1)),
                ElementsAre("proc:read#1", "proc:read#2"));
}

TEST_F(SelftestJobs, Limits) {
    auto own = selftest("mm", "mkdirty");
    own.timeout_s = 7;
    EXPECT_EQ(selftest_jobs({own}, installed, Kernel::patched, 1.5).jobs[0].timeout_s, 11);
    EXPECT_EQ(
        selftest_jobs({selftest("mm", "mkdirty")}, installed, Kernel::patched, 3).jobs[0].timeout_s,
        2700);
    EXPECT_EQ(
        selftest_jobs({selftest("proc", "read")}, installed, Kernel::patched, 3).jobs[0].timeout_s,
        135);
    EXPECT_EQ(
        selftest_jobs({selftest("timers", "")}, installed, Kernel::patched, 3).jobs[0].timeout_s,
        0);
}

TEST_F(SelftestJobs, MissingOnesAreNamed) {
    const auto result =
        selftest_jobs({selftest("proc", "gone"), selftest("net", ""), selftest("proc", "read")},
                      installed, Kernel::patched, 1);
    EXPECT_THAT(result.missing, ElementsAre(TestName{"proc", "gone"}, TestName{"net", ""}));
    EXPECT_THAT(ids(result), ElementsAre("proc:read#1"));
}

TEST(BenchmarkJob, ExactOptions) {
    Benchmark benchmark;
    benchmark.name = "rollup";
    benchmark.samples = 20;
    benchmark.duration_s = 2.5;
    benchmark.busyduration_ms = 3;
    benchmark.procfile = "numa_maps";
    benchmark.busycpus = 2;
    benchmark.busytasks = 4;
    benchmark.scanner = Scanner::exec;
    benchmark.fragment = false;
    const Job job = benchmark_job(benchmark, 2);
    EXPECT_EQ(job.id, "benchmark:rollup");
    EXPECT_THAT(job.argv,
                ElementsAre("/kmatrix/procfs-latency", "--samples", "20", "--duration", "2.5",
                            "--busyduration", "3", "--procfile", "numa_maps", "--busycpus", "2",
                            "--busytasks", "4", "--scanner", "exec", "--no-fragment"));
    // 20 * 2.5, and twice 60 + 20 * 20.
    EXPECT_EQ(job.timeout_s, 50 + 2 * 460);
}

TEST(BenchmarkJob, DefaultsAndWholeNumbers) {
    Benchmark benchmark;
    benchmark.name = "smaps_rollup";
    const Job job = benchmark_job(benchmark, 1);
    EXPECT_THAT(job.argv,
                ElementsAre("/kmatrix/procfs-latency", "--samples", "2", "--duration", "5",
                            "--busyduration", "2", "--procfile", "smaps_rollup", "--busycpus", "1",
                            "--busytasks", "1", "--scanner", "pread", "--fragment"));
    EXPECT_EQ(job.timeout_s, 10 + 60 + 40);
}

TEST(BenchmarkJob, OfTheUsersOwn) {
    Benchmark benchmark;
    benchmark.name = "mine";
    benchmark.command = "/home/user/bench";
    const Job job = benchmark_job(benchmark, 1.5);
    EXPECT_EQ(job.id, "benchmark:mine");
    EXPECT_THAT(job.argv, ElementsAre("./run"));
    EXPECT_EQ(job.cwd, "/bench/mine");
    EXPECT_EQ(job.timeout_s, 900);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/boot_jobs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BootJobsTest : public testing::Test {
  protected:
    BootJobsTest() {
        Selftest all;
        all.target = "proc";
        cell.selftests = {all};
        Benchmark benchmark;
        benchmark.name = "smaps_rollup";
        benchmark.samples = 1;
        cell.benchmarks = {benchmark};
        image.installed[Kernel::patched].tests = {{"proc", "read"}, {"proc", "race"}};
        image.installed[Kernel::baseline].tests = {{"proc", "race"}};
        image.absent = {{{"proc", "broken"}, Kernel::patched, "does not build: x.c:1: error"}};
        functional.id = "f";
        benched.id = "b";
        benched.benchmark = 0;
    }

    // What an agent says that runs every job with this exit status.
    static std::string said(const BootPlan& plan, int exit) {
        std::string text = R"({"type":"hello","protocol":1,"vitals":{}})"
                           "\n";
        for (const Job& job : plan.jobs) {
            text +=
                nlohmann::json{{"type", "start"}, {"id", job.id}, {"uptime_s", 1.0}}.dump() + "\n";
            text += nlohmann::json{{"type", "end"}, {"id", job.id},       {"exit", exit},
                                   {"signal", 0},   {"timed_out", false}, {"seconds", 0.5}}
                        .dump() +
                    "\n";
        }
        return text + R"({"type":"done"})"
                      "\n";
    }

    Cell cell;
    GuestImage image;
    PlannedBoot functional, benched;
};

TEST_F(BootJobsTest, EditedTargetsRunInBothForms) {
    const BootJobs plain = boot_jobs(cell, functional, image, {}, Accel::kvm);
    EXPECT_THAT(plain.plan.jobs, SizeIs(2));
    const BootJobs edited = boot_jobs(cell, functional, image, {"proc"}, Accel::kvm);
    ASSERT_THAT(edited.plan.jobs, SizeIs(3));
    EXPECT_EQ(edited.plan.jobs[2].id, "proc:race#1@baseline");
    EXPECT_EQ(edited.plan.jobs[2].cwd, "/selftests/baseline/proc");
}

TEST_F(BootJobsTest, LimitsAndWatchdogsAreStretchedUnderEmulation) {
    const BootJobs hardware = boot_jobs(cell, functional, image, {}, Accel::kvm);
    EXPECT_EQ(hardware.plan.jobs[0].timeout_s, 45); // kselftest's own
    EXPECT_THAT(hardware.plan.sysctls, IsEmpty());
    const BootJobs emulated = boot_jobs(cell, functional, image, {}, Accel::tcg);
    EXPECT_EQ(emulated.plan.jobs[0].timeout_s, 135);
    EXPECT_DOUBLE_EQ(limits_s(emulated.plan), 270);
    EXPECT_THAT(emulated.plan.sysctls, SizeIs(1));
}

TEST_F(BootJobsTest, WhatWasNotBuiltIsMissingWithTheCompilersWords) {
    const BootJobs jobs = boot_jobs(cell, functional, image, {}, Accel::kvm);
    Transcript transcript;
    transcript.feed(said(jobs.plan, 0));
    BootResult result;
    read_results(result, cell, functional, jobs, transcript);
    ASSERT_THAT(result.tests, SizeIs(3));
    EXPECT_EQ(result.tests[0].status, Status::pass);
    EXPECT_EQ(result.tests[2].test, "broken");
    EXPECT_EQ(result.tests[2].status, Status::missing);
    EXPECT_EQ(result.tests[2].reason, "does not build: x.c:1: error");
}

TEST_F(BootJobsTest, ATestThatNeverEndedIsMissing) {
    const BootJobs jobs = boot_jobs(cell, functional, image, {}, Accel::kvm);
    BootResult result;
    read_results(result, cell, functional, jobs, Transcript());
    EXPECT_EQ(result.tests[0].status, Status::missing);
}

TEST_F(BootJobsTest, ABenchmarkThatFailsGivesNoNumber) {
    const BootJobs jobs = boot_jobs(cell, benched, image, {}, Accel::kvm);
    ASSERT_THAT(jobs.plan.jobs, SizeIs(1));
    BootResult never;
    read_results(never, cell, benched, jobs, Transcript());
    EXPECT_EQ(never.sample_error, "the benchmark did not end");
    Transcript transcript;
    transcript.feed(said(jobs.plan, 1));
    BootResult failed;
    read_results(failed, cell, benched, jobs, transcript);
    EXPECT_THAT(failed.sample_error, Not(IsEmpty()));
    EXPECT_THAT(failed.samples, IsEmpty());
}

} // namespace
} // namespace kmatrix

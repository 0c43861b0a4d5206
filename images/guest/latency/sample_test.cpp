// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/sample.h"

#include <gmock/gmock.h>

namespace kmatrix::guest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CpuRoles, LeavesTheSecondCpuFreeWhereItCan) {
    const auto roles = assign_cpus({0, 1, 2, 3}, 1);
    ASSERT_TRUE(roles);
    EXPECT_EQ(roles->mapper, 0);
    EXPECT_THAT(roles->busy, ElementsAre(2));
    EXPECT_THAT(assign_cpus({0, 1, 2, 3}, 2)->busy, ElementsAre(2, 3));
}

TEST(CpuRoles, UsesItWhereItMust) {
    EXPECT_THAT(assign_cpus({0, 1, 2, 3}, 3)->busy, ElementsAre(1, 2, 3));
    EXPECT_THAT(assign_cpus({4, 6}, 1)->busy, ElementsAre(6));
}

TEST(CpuRoles, RefusesTooFew) {
    const auto roles = assign_cpus({0, 1, 2, 3}, 4);
    ASSERT_FALSE(roles);
    EXPECT_THAT(roles.error(), HasSubstr("need 5 CPUs, and there are 4"));
}

class Judge : public testing::Test {
  protected:
    Judge() : shared(2, 2) {
        shared.mapper[0].cpu = 0;
        for (int i = 0; i < 2; ++i) {
            shared.scanners[i].cpu = i + 1;
            shared.scanners[i].marked_rounds = 3;
            shared.scanners[i].marked_bytes = 100;
            shared.busy[i].cpu = i + 1;
            shared.busy[i].marked_rounds = 7;
        }
    }
    SharedState shared;
};

TEST_F(Judge, AddsUp) {
    const auto figures = judge(shared, 4);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->index, 4);
    EXPECT_EQ(figures->scans, 6u);
    EXPECT_EQ(figures->scan_bytes, 200u);
    EXPECT_EQ(figures->busy_loops, 14u);
    EXPECT_THAT(figures->cpus, ElementsAre(0, 1, 2));
}

TEST_F(Judge, AScannerThatReadNothingIsAnError) {
    shared.scanners[1].marked_bytes = 0;
    const auto figures = judge(shared, 1);
    ASSERT_FALSE(figures);
    EXPECT_THAT(figures.error(), HasSubstr("scanner on CPU 2"));
}

TEST_F(Judge, ABusyTaskThatDidNotRunIsAnError) {
    shared.busy[0].marked_rounds = 0;
    const auto figures = judge(shared, 1);
    ASSERT_FALSE(figures);
    EXPECT_THAT(figures.error(), HasSubstr("busy task on CPU 1"));
}

TEST(SameAddressSpace, RefusesAnotherOne) {
    SampleFigures first;
    first.mapper.vmas_start = 9500;
    SampleFigures sample = first;
    sample.mapper.vmas_end = 9500 + 475;
    EXPECT_TRUE(same_address_space(first, sample, 4096));
    sample.mapper.vmas_end = 9500 + 476;
    const auto refused = same_address_space(first, sample, 4096);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("9976 VMAs against 9500"));
}

// Two CPUs at least, for real: everything runs, and says so.
class RealSample : public testing::Test {
  protected:
    void SetUp() override {
        const auto assigned = assign_cpus(usable_cpus(), 1);
        if (!assigned) {
            GTEST_SKIP() << assigned.error();
        }
        roles = *assigned;
        options.duration_s = 0.2;
        options.busyduration_ms = 1;
        options.procfile = "maps";
        options.fragment = false; // few mappings, quick reads
    }
    CpuRoles roles;
    Options options;
};

TEST_F(RealSample, IsTaken) {
    std::int64_t ready = 0;
    const auto figures = take_sample(options, roles, 1, [&](std::int64_t vmas) { ready = vmas; });
    ASSERT_TRUE(figures) << figures.error();
    EXPECT_GT(ready, 5);
    EXPECT_EQ(figures->mapper.vmas_start, ready);
    EXPECT_GE(figures->mapper.seconds, 0.2);
    EXPECT_EQ(figures->mapper.maps + figures->mapper.unmaps, figures->mapper.calls.count());
    EXPECT_GT(figures->mapper.calls.count(), 2u);
    EXPECT_GT(figures->scans, 0u);
    EXPECT_GT(figures->scan_bytes, figures->scans * 100);
    EXPECT_GT(figures->busy_loops, 0u);
    EXPECT_THAT(figures->cpus, ElementsAre(roles.mapper, roles.busy[0]));
}

TEST_F(RealSample, AFileThatIsNotThereIsAnError) {
    options.procfile = "no-such-file";
    const auto figures = take_sample(options, roles, 1, [](std::int64_t) {});
    ASSERT_FALSE(figures);
    EXPECT_THAT(figures.error(), HasSubstr("cannot open /proc/"));
    EXPECT_THAT(figures.error(), HasSubstr("no-such-file: No such file or directory"));
}

TEST_F(RealSample, AFileThatGivesNothingIsAnError) {
    options.procfile = "task/../timers"; // empty: the mapper has no POSIX timers
    const auto figures = take_sample(options, roles, 1, [](std::int64_t) {});
    ASSERT_FALSE(figures);
    EXPECT_THAT(figures.error(), HasSubstr("read 0 bytes"));
}

} // namespace
} // namespace kmatrix::guest

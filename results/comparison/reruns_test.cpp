// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/reruns.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/json.h"

namespace kmatrix {
namespace {

using hand_built::x86;

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

struct Reruns : testing::Test {
    Reruns() : run(hand_built::run({cell()})) {
        hand_built::boot(run, Kernel::baseline, x86);
        hand_built::boot(run, Kernel::patched, x86);
    }
    static Cell cell() {
        Cell cell = hand_built::cell();
        cell.selftests.push_back(hand_built::selftest());
        return cell;
    }
    void once(const std::string& name, Status on_baseline, Status on_patched) {
        hand_built::test(run.boots.at(0), name, on_baseline, "exit 1");
        hand_built::test(run.boots.at(1), name, on_patched, "exit 1");
    }
    std::vector<PlannedBoot> planned() const { return reruns(run, compare(run)); }
    RunResult run;
};

TEST_F(Reruns, OfWhatDiffersOnBothKernels) {
    once("read", Status::pass, Status::fail);
    once("write", Status::fail, Status::pass);
    once("same", Status::fail, Status::fail);
    once("good", Status::pass, Status::pass);
    once("absent", Status::pass, Status::skip);
    const auto boots = planned();
    ASSERT_THAT(boots, SizeIs(2));
    EXPECT_EQ(boots[0].id, x86 + "/baseline/functional-again");
    EXPECT_EQ(boots[1].id, x86 + "/patched/functional-again");
    EXPECT_EQ(boots[0].reruns, boots[1].reruns);
    // 2 s each: twenty times are done in 40 s.
    EXPECT_THAT(boots[0].reruns,
                ElementsAre(Rerun{"proc", "read", 20, 2}, Rerun{"proc", "write", 20, 2}));
}

TEST_F(Reruns, OfSlowTestsAreFew) {
    once("read", Status::pass, Status::fail);
    run.boots.at(0).tests.back().seconds = 20;
    EXPECT_THAT(planned().at(0).reruns, ElementsAre(Field(&Rerun::times, 6)));
    run.boots.at(1).tests.back().seconds = 100;
    EXPECT_THAT(planned().at(0).reruns, ElementsAre(Field(&Rerun::times, 3)));
}

TEST_F(Reruns, NoneWithoutADifference) {
    once("read", Status::fail, Status::fail);
    EXPECT_THAT(planned(), IsEmpty());
}

TEST_F(Reruns, NoneOfAKernelThatDoesNotStay) {
    once("read", Status::pass, Status::fail);
    run.boots.at(1).outcome = Panicked{"oops"};
    EXPECT_THAT(planned(), IsEmpty());
}

TEST_F(Reruns, NoneOfTooMany) {
    for (std::size_t i = 0; i <= most_reruns; ++i)
        once("test" + std::to_string(i), Status::pass, Status::fail);
    EXPECT_THAT(planned(), IsEmpty());
}

TEST_F(Reruns, NoneTwice) {
    once("read", Status::pass, Status::fail);
    run.info.reruns = planned();
    EXPECT_THAT(planned(), IsEmpty());
}

// What the reruns say is added to what the first boot said; other tests do not go missing by it.
TEST_F(Reruns, TellAFlakeFromARegression) {
    once("read", Status::pass, Status::fail);
    once("good", Status::pass, Status::pass);
    run.info.reruns = planned();
    for (const PlannedBoot& planned : run.info.reruns) {
        BootResult& boot = hand_built::boot(run, planned.kernel, x86);
        boot.id = planned.id;
        boot.number = planned.number;
        for (int i = 0; i < planned.reruns.at(0).times; ++i)
            hand_built::test(boot, "read", Status::pass, "");
    }
    const auto tests = compare(run).tests;
    ASSERT_THAT(tests, SizeIs(2));
    EXPECT_EQ(tests[0].verdict, TestVerdict::flaky);
    EXPECT_EQ(tests[0].side.patched.failing().hits, 1u);
    EXPECT_EQ(tests[0].side.patched.failing().trials, 21u);
    EXPECT_EQ(tests[1].verdict, TestVerdict::passes);
    EXPECT_EQ(tests[1].side.patched.runs(), 1u);

    for (BootResult& boot : run.boots)
        if (boot.kernel == Kernel::patched)
            for (TestRun& test : boot.tests)
                if (test.test == "read")
                    test.status = Status::fail;
    EXPECT_EQ(compare(run).tests.at(0).verdict, TestVerdict::regressed);
}

TEST_F(Reruns, AreKept) {
    once("read", Status::pass, Status::fail);
    run.info.reruns = planned();
    const auto read = info_from_json(to_json(run.info));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->reruns, run.info.reruns);
    EXPECT_EQ(run.planned_boots().size(), plan(run.matrix).boots.size() + 2);
}

} // namespace
} // namespace kmatrix

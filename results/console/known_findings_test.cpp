// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/known_findings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/console/scanner.h"

namespace kmatrix {
namespace {

Finding finding(std::string klass, std::string title) {
    return {std::move(klass), std::move(title), "", {}, {}, 1};
}

std::vector<std::string> titles(const std::vector<Finding>& findings) {
    std::vector<std::string> result;
    result.reserve(findings.size());
    for (const auto& each : findings) {
        result.push_back(each.klass + " " + each.title);
    }
    return result;
}

TEST(NewFindings, AreThoseThatBaselineHasNot) {
    const auto a = finding("oops", "page fault in gizmo");
    const auto b = finding("warning", "WARNING in widget");
    const auto c = finding("bug", "page fault in gizmo"); // another class
    EXPECT_THAT(titles(new_findings({a}, {b, a, a, c, b})),
                testing::ElementsAre("warning WARNING in widget", "bug page fault in gizmo"));
    EXPECT_TRUE(new_findings({a, b}, {}).empty());
    EXPECT_TRUE(new_findings({a, b}, {b, a}).empty());
}

TEST(IsStall, IsWhatOnlyAClockDecided) {
    for (const auto* console : {"rcu: INFO: rcu_preempt self-detected stall on CPU",
                                "watchdog: BUG: soft lockup - CPU#1 stuck",
                                "watchdog: CPU1: Watchdog detected hard LOCKUP on cpu 1",
                                "INFO: task gizmo:1 blocked for more than 120 seconds.",
                                "BUG: workqueue lockup - pool cpus=0",
                                "INFO: task gizmo:1 can't die for more than 140 seconds.",
                                "smp: csd: Detected non-responsive CSD lock (#1) on CPU#4"}) {
        const auto found = scan_console(console);
        ASSERT_EQ(found.size(), 1u) << console;
        EXPECT_TRUE(is_stall(found.front())) << console;
    }
    for (const auto* console :
         {"unregister_netdevice: waiting for lo to become free. Usage count = 3",
          "Kernel panic - not syncing: gizmo", "BUG: KASAN: use-after-free in gizmo+0x1/0x2"}) {
        const auto found = scan_console(console);
        ASSERT_EQ(found.size(), 1u) << console;
        EXPECT_FALSE(is_stall(found.front())) << console;
    }
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/plan.h"

#include <gmock/gmock.h>

namespace kmatrix::guest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(AgentPlan, Whole) {
    const auto plan = parse_plan(R"({"protocol": 1,
        "sysctls": {"kernel.panic": "1", "kernel.hung_task_timeout_secs": "420"},
        "jobs": [{"id": "proc:read#1", "argv": ["./read", "-v"], "cwd": "/selftests",
                  "timeout_s": 4.5, "environment": ["A=1"]},
                 {"id": "two", "argv": ["/bin/true"], "cwd": "/", "timeout_s": 0}]})");
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_THAT(plan->sysctls, ElementsAre(Pair("kernel.hung_task_timeout_secs", "420"),
                                           Pair("kernel.panic", "1")));
    ASSERT_EQ(plan->jobs.size(), 2u);
    EXPECT_EQ(plan->jobs[0].id, "proc:read#1");
    EXPECT_THAT(plan->jobs[0].argv, ElementsAre("./read", "-v"));
    EXPECT_EQ(plan->jobs[0].cwd, "/selftests");
    EXPECT_EQ(plan->jobs[0].timeout_s, 4.5);
    EXPECT_THAT(plan->jobs[0].environment, ElementsAre("A=1"));
    EXPECT_EQ(plan->jobs[1].timeout_s, 0);
    EXPECT_TRUE(plan->jobs[1].environment.empty());
}

TEST(AgentPlan, ErrorsNameWhatIsWrong) {
    const std::vector<std::pair<const char*, const char*>> bad{
        {"", "parse error"},
        {R"({"jobs": []})", "protocol"},
        {R"({"protocol": 2, "jobs": []})", "protocol 2"},
        {R"({"protocol": 1})", "jobs"},
        {R"({"protocol": 1, "jobs": [{"argv": ["a"], "cwd": "/", "timeout_s": 1}]})", "id"},
        {R"({"protocol": 1, "jobs": [{"id": "x", "argv": [], "cwd": "/", "timeout_s": 1}]})",
         "job x has an empty argv"},
        {R"({"protocol": 1, "jobs": [{"id": "x", "argv": "a", "cwd": "/", "timeout_s": 1}]})",
         "must be array"},
    };
    for (const auto& [text, expected] : bad) {
        const auto plan = parse_plan(text);
        ASSERT_FALSE(plan) << text;
        EXPECT_THAT(plan.error(), HasSubstr(expected));
    }
}

} // namespace
} // namespace kmatrix::guest

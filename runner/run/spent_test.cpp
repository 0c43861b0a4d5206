// SPDX-License-Identifier: GPL-2.0-only
// Figures worked out by hand.
#include "runner/run/spent.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix {
namespace {

using testing::HasSubstr;

// Two builds that keep two CPUs busy, the second on the first's objects; a boot beside them, and
// two that must be alone.
Spent two_cpus() {
    return {100,
            2,
            {{"build", 0, 40, 76, false, {}},
             {"rebuild", 40, 10, 14, false, {"build"}},
             {"boot", 40, 12, 10, false, {"build"}},
             {"measure baseline", 52, 9, 15, true, {"build"}},
             {"measure patched", 61, 11, 15, true, {"rebuild"}}},
            0};
}

TEST(Bound, IsTheLargestOfThree) {
    const Bound least = bound(two_cpus());
    EXPECT_DOUBLE_EQ(least.cpu_s, 65);   // (76 + 14 + 10 + 15 + 15) / 2
    EXPECT_DOUBLE_EQ(least.chain_s, 61); // build, rebuild, measure patched
    EXPECT_DOUBLE_EQ(least.alone_s, 20);
    EXPECT_DOUBLE_EQ(least.seconds(), 65);
}

TEST(Bound, OfManyCpusIsTheChain) {
    Spent spent = two_cpus();
    spent.cpus = 64;
    EXPECT_DOUBLE_EQ(bound(spent).seconds(), 61);
    EXPECT_THAT(spent_text(spent), HasSubstr("longest chain"));
}

TEST(Bound, OfNothingIsNothing) {
    EXPECT_DOUBLE_EQ(bound({}).seconds(), 0);
    EXPECT_EQ(spent_text({}), "0.0 s; nothing was done twice");
}

TEST(SpentText, SaysHowNearToTheBoundItWas) {
    EXPECT_EQ(spent_text(two_cpus()),
              "1 min 40 s, 1.54 times the least possible here (1 min 05 s: the "
              "CPU time of its work on 2 CPUs); nothing was done twice");
    Spent spent = two_cpus();
    spent.repeated_s = 9;
    EXPECT_THAT(spent_text(spent), HasSubstr("9.0 s of it for boots that had to be repeated"));
}

TEST(SpentJson, HasTheTasksAndTheBound) {
    const auto json = nlohmann::json::parse(spent_json(two_cpus()));
    EXPECT_EQ(json.at("tasks").size(), 5u);
    EXPECT_EQ(json.at("tasks").at(1).at("after").at(0), "build");
    EXPECT_DOUBLE_EQ(json.at("bound").at("seconds"), 65);
}

} // namespace
} // namespace kmatrix

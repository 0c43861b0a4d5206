// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/estimate.h"

#include <limits>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

const Host host{2, {Arch::x86_64, Arch::arm64}};
const BuildKey x86_build{Arch::x86_64, "default", "gcc"};

Matrix demo() {
    Matrix matrix;
    const Axes axes{Arch::x86_64, "default", 8, "gcc", ""};
    matrix.cells = {{cell_id(axes), axes, {{"proc", "proc-maps-race", 1, std::nullopt, {}}}, {}}};
    Benchmark benchmark;
    benchmark.name = "smaps_rollup";
    matrix.cells[0].benchmarks = {benchmark};
    return matrix;
}

TEST(Durations, SurviveBeingWrittenAndRead) {
    const Durations before{{{"a", 1.5}, {"b/\"c\"", 0}}};
    EXPECT_EQ(parse_durations(durations_json(before)).value().seconds, before.seconds);
}

TEST(Durations, LeaveOutWhatIsNoDuration) {
    const auto read = parse_durations(R"({"version": 1, "seconds":
        {"good": 2, "negative": -1, "word": "3", "null": null, "age": 1e300, "list": [1]}})");
    EXPECT_THAT(read.value().seconds, ElementsAre(Pair("good", 2)));
}

TEST(Durations, RefuseWhatIsNoRecord) {
    for (const std::string& text :
         {std::string(), std::string("[]"), std::string("{"), std::string(R"({"seconds": {}})"),
          std::string(R"({"version": 2, "seconds": {}})"), std::string(R"({"version": 1})"),
          std::string(R"({"version": 1, "seconds": []})"), std::string(100'000, '['),
          std::string("{\"\xff\": 1}")})
        EXPECT_FALSE(parse_durations(text)) << text.substr(0, 40);
}

TEST(Durations, LearnHalfOfWhatIsNew) {
    Durations durations;
    learn(durations, "k", 10);
    EXPECT_EQ(durations.seconds["k"], 10);
    learn(durations, "k", 20);
    EXPECT_EQ(durations.seconds["k"], 15);
    learn(durations, "k", -1);
    learn(durations, "k", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(durations.seconds["k"], 15);
}

TEST(DurationKey, NamesWhatDecidesTheTime) {
    const Matrix matrix = demo();
    const Plan planned = plan(matrix);
    EXPECT_EQ(duration_key(x86_build, Kernel::patched), "build/x86_64/default/gcc/patched");
    EXPECT_EQ(duration_key(matrix, planned.boots.back(), host),
              "boot/x86_64-default-8cpu-gcc/emulated/smaps_rollup/2x5s");
    EXPECT_EQ(duration_key(matrix, planned.boots.back(), Host{2, {}}),
              "boot/x86_64-default-8cpu-gcc/hardware/smaps_rollup/2x5s");
}

TEST(DurationKey, ChangesWithTheTests) {
    Matrix matrix = demo();
    const PlannedBoot boot = plan(matrix).boots.front();
    const std::string before = duration_key(matrix, boot, host);
    matrix.cells[0].selftests[0].repeat = 10;
    EXPECT_NE(duration_key(matrix, boot, host), before);
}

TEST(Estimate, GuessesFirstAndSaysSo) {
    const Matrix matrix = demo();
    const Plan planned = plan(matrix);
    const Estimate guess = estimate(matrix, planned, {}, host);
    EXPECT_EQ(guess.measured, 0);
    EXPECT_EQ(guess.guessed, 2 + 2 + 12); // builds, functional boots, benchmark boots
    EXPECT_GT(guess.builds_s, 200);       // a cold build on two cores took 218 s
    EXPECT_LT(guess.builds_s, 400);
    EXPECT_GT(guess.boots_s, 2 * 30 + 12 * 10); // more than the tests and samples alone
    EXPECT_LT(guess.boots_s, 2 * 60 + 12 * 30);
}

TEST(Estimate, UsesWhatEarlierRunsTook) {
    const Matrix matrix = demo();
    const Plan planned = plan(matrix);
    Durations durations;
    learn(durations, duration_key(x86_build, Kernel::baseline), 100);
    learn(durations, duration_key(x86_build, Kernel::patched), 8);
    for (const PlannedBoot& boot : planned.boots)
        if (!boot.benchmark)
            learn(durations, duration_key(matrix, boot, host), 40);
        else
            learn(durations, duration_key(matrix, boot, host), 20);
    const Estimate known = estimate(matrix, planned, durations, host);
    EXPECT_EQ(known.builds_s, 108);
    EXPECT_EQ(known.boots_s, 2 * 40 + 12 * 20);
    EXPECT_EQ(known.seconds(), 108 + 320);
    EXPECT_EQ(known.guessed, 0);
    EXPECT_EQ(known.measured, 16);
}

TEST(Estimate, GrowsWithEmulatedCpus) {
    Matrix matrix = demo();
    const Plan planned = plan(matrix);
    const double eight = expected(matrix, planned.boots.back(), {}, host).seconds;
    matrix.cells[0].axes.vcpus = 24;
    // Measured: 3 s for 8 vCPUs, 24 to 31 s for 24.
    const double more = expected(matrix, planned.boots.back(), {}, host).seconds - eight;
    EXPECT_GT(more, 20);
    EXPECT_LT(more, 30);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/noise.h"

#include <cmath>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/json.h"

namespace kmatrix {
namespace {

using hand_built::x86;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// R 4.2.2: l <- log(noisy_a); m <- log(noisy_b)
//   exp(t.test(m, l, conf.level=.9)$conf.int) = 0.8715953 1.1843394; the ratio is 1.0160043
const std::vector<double> noisy_a{0.9001, 1.1002, 1.0003, 1.2004, 0.8005, 1.0006};
const std::vector<double> noisy_b{1.0001, 0.9002, 1.2003, 1.1004, 0.8005, 1.1006};
constexpr double floor_by_r = 0.1843394;

RunResult a_a_run(std::vector<Cell> cells = {}) {
    if (cells.empty()) {
        cells.push_back(hand_built::cell());
        cells.back().benchmarks = {hand_built::benchmark()};
    }
    RunResult run = hand_built::run(std::move(cells));
    run.info.id = "aa";
    run.info.started = "2026-01-01T12:00:00Z";
    run.info.noise = true;
    run.matrix.only_benchmarks = true;
    hand_built::make_images_equal(run);
    for (const Cell& cell : run.matrix.cells) {
        hand_built::benchmark_boots(run, Kernel::baseline, cell.id, noisy_a);
        hand_built::benchmark_boots(run, Kernel::patched, cell.id, noisy_b);
    }
    for (BootResult& boot : run.boots)
        boot.machine.host_cpu = "Some CPU";
    return run;
}

TEST(NoiseFloor, IsTheFartherEndOfTheInterval) {
    EXPECT_NEAR(noise_floor({0.8715953, 1.1843394}), floor_by_r, 1e-6);
    // 1/0.8 is farther from 1 than 1.1 is.
    EXPECT_NEAR(noise_floor({0.8, 1.1}), 0.25, 1e-12);
    EXPECT_NEAR(noise_floor({1, 1}), 0, 1e-12);
}

TEST(Noise, AnAARunIsComparedThoughItsImagesAreTheSame) {
    const RunResult run = a_a_run();
    const Comparison comparison = compare(run);
    ASSERT_THAT(comparison.latency, SizeIs(1));
    EXPECT_EQ(comparison.latency[0].verdict, LatencyVerdict::inconclusive);
    const MeasuredNoise noise = measured_noise(run, comparison.latency);
    ASSERT_THAT(noise.floors, SizeIs(1));
    EXPECT_NEAR(noise.floors[0].floor, floor_by_r, 1e-6);
    EXPECT_NEAR(noise.floors[0].ratio, 1.0160043, 1e-6);
    EXPECT_EQ(noise.floors[0].boots, 6);
    EXPECT_EQ(noise.floors[0].run, "aa");
    EXPECT_EQ(noise.floors[0].key, (NoiseKey{"2 x Some CPU", Arch::x86_64, Accel::kvm, 4,
                                             "smaps_rollup pread 1x5s busy 1x1 2ms"}));
    EXPECT_EQ(comparison.outcome, Outcome::as_wanted);
    EXPECT_EQ(comparison.verdict, "An A/A run, one kernel on both sides; noise floor: smaps_rollup "
                                  "18 % in x86_64-default-4cpu-gcc.");
    EXPECT_THAT(comparison.notes, IsEmpty());
}

// The margin within which the A/A run just is equivalent by the test that decides of every run.
TEST(Noise, TheFloorIsTheSmallestMarginOfEquivalence) {
    const RunResult run = a_a_run();
    const LatencyComparison latency = compare(run).latency[0];
    const double floor = noise_floor(latency.test->ratio_90);
    EXPECT_EQ(decide(*latency.test, 1, floor + 1e-9), LatencyVerdict::equivalent);
    EXPECT_EQ(decide(*latency.test, 1, floor - 1e-9), LatencyVerdict::inconclusive);
}

TEST(Noise, NoKernelRegressesAgainstItself) {
    RunResult run = a_a_run();
    for (BootResult& boot : run.boots)
        if (boot.kernel == Kernel::patched)
            boot.samples[0].mean_ms *= 2;
    run.matrix.gate.latency = true;
    const Comparison comparison = compare(run);
    EXPECT_EQ(comparison.latency[0].verdict, LatencyVerdict::slower);
    EXPECT_THAT(comparison.regressions, IsEmpty());
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.verdict, HasSubstr("(one kernel came out as 2.0 times slower than "
                                              "itself: the sides are not alike here, or chance)"));
    // R: as above, and twice as far: 2 * 1.1843394 - 1.
    EXPECT_NEAR(measured_noise(run, comparison.latency).floors[0].floor, 1.3686787, 1e-6);
}

TEST(Noise, FewBootsGiveNone) {
    RunResult run = a_a_run();
    std::erase_if(run.boots, [](const BootResult& boot) { return boot.number > 3; });
    const Comparison comparison = compare(run);
    const MeasuredNoise noise = measured_noise(run, comparison.latency);
    EXPECT_THAT(noise.floors, IsEmpty());
    EXPECT_THAT(noise.without, ElementsAre(x86 + ", smaps_rollup: 3 and 3 boots with figures are "
                                                 "too few, it takes 4 a side"));
    EXPECT_THAT(comparison.verdict, HasSubstr("none for " + x86));
}

TEST(Noise, OfCellsOfOneKeyTheLargerFloorCounts) {
    Cell other = hand_built::cell();
    other.axes.config = "default+lockdep";
    other.id = "x86_64-default+lockdep-4cpu-gcc";
    other.benchmarks = {hand_built::benchmark()};
    Cell cell = hand_built::cell();
    cell.benchmarks = {hand_built::benchmark()};
    RunResult run = a_a_run({cell, other});
    for (BootResult& boot : run.boots)
        if (boot.cell == other.id)
            boot.samples[0].mean_ms = 1.0001 + 1e-6 * boot.number; // as quiet as can be
    const MeasuredNoise noise = measured_noise(run, compare(run).latency);
    ASSERT_THAT(noise.floors, SizeIs(1));
    EXPECT_NEAR(noise.floors[0].floor, floor_by_r, 1e-6);
}

TEST(Noise, TwoImagesOfOneSourceAreNoted) {
    RunResult run = a_a_run();
    hand_built::build(run, Kernel::patched).image_sha256 = "another";
    EXPECT_THAT(compare(run).notes, ElementsAre(HasSubstr("two builds of one source")));
}

struct KnownNoise : testing::Test {
    KnownNoise() {
        Cell cell = hand_built::cell();
        cell.benchmarks = {hand_built::benchmark()};
        run = hand_built::run({cell});
        hand_built::benchmark_boots(run, Kernel::baseline, x86, noisy_a);
        hand_built::benchmark_boots(run, Kernel::patched, x86, noisy_b);
        for (BootResult& boot : run.boots)
            boot.machine.host_cpu = "Some CPU";
    }
    void know(double floor, int vcpus = 4) {
        run.known.noise = {{{"2 x Some CPU", Arch::x86_64, Accel::kvm, vcpus,
                             "smaps_rollup pread 1x5s busy 1x1 2ms"},
                            floor,
                            1,
                            {1, 1},
                            6,
                            "aa",
                            ""}};
    }
    LatencyComparison one() const { return compare(run).latency.at(0); }
    RunResult run;
};

TEST_F(KnownNoise, WidensTheMarginAndSaysSo) {
    EXPECT_EQ(one().margin_why,
              "5 %, the matrix's; this machine's noise was never measured here (kmatrix noise)");
    know(0.2);
    EXPECT_EQ(one().margin, 0.2);
    EXPECT_EQ(one().margin_source, MarginSource::noise_floor);
    EXPECT_EQ(one().margin_why,
              "20 %, this machine's noise, 20 % by A/A run aa, is larger than the matrix's");
    EXPECT_EQ(one().verdict, LatencyVerdict::equivalent); // R: up to 1.184
    know(0.02);
    EXPECT_EQ(one().margin, 0.05);
    EXPECT_EQ(one().margin_why,
              "5 %, the matrix's; this machine's noise, 2.0 % by A/A run aa, is smaller");
    EXPECT_EQ(one().verdict, LatencyVerdict::inconclusive);
}

TEST_F(KnownNoise, OfAnotherKeySaysNothing) {
    know(0.2, 8);
    EXPECT_EQ(one().margin, 0.05);
    know(0.2);
    run.matrix.cells[0].benchmarks[0].busycpus = 2;
    EXPECT_EQ(one().margin, 0.05);
    run.matrix.cells[0].benchmarks[0].busycpus = 1;
    for (BootResult& boot : run.boots)
        boot.machine.accel = Accel::tcg;
    EXPECT_EQ(one().margin, 0.05);
}

TEST(Known, ComesBackFromJson) {
    Known known;
    known.noise = {{{"2 x Some CPU", Arch::arm64, Accel::tcg, 8, "maps"},
                    0.0625,
                    1.03125,
                    {0.96875, 1.0625},
                    5,
                    "run",
                    "2026-01-01T12:00:00Z"}};
    known.failures = {{Arch::arm64, "default", "proc: a: b", Kernel::baseline, 3, 41}};
    const auto read = known_from_json(to_json(known));
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_THAT(read->noise, SizeIs(1));
    EXPECT_EQ(read->noise[0].key, known.noise[0].key);
    EXPECT_EQ(read->noise[0].floor, 0.0625);
    EXPECT_EQ(read->noise[0].ratio_90.high, 1.0625);
    EXPECT_EQ(to_json(*read), to_json(known));
    EXPECT_FALSE(known_from_json("{}"));
    EXPECT_FALSE(known_from_json("[1"));
}

TEST(Known, TheNewerFloorTakesThePlaceOfTheOlder) {
    NoiseFloor floor;
    floor.floor = 0.1;
    std::vector<NoiseFloor> floors{floor};
    floor.floor = 0.05;
    learn(floors, floor);
    floor.key.vcpus = 8;
    learn(floors, floor);
    ASSERT_THAT(floors, SizeIs(2));
    EXPECT_EQ(find(floors, NoiseKey{})->floor, 0.05);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/latency.h"

#include <cmath>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/comparison/noise.h"

namespace kmatrix {
namespace {

using hand_built::arm;
using hand_built::x86;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<double> slow{0.390001, 0.410002, 0.380003, 0.400004, 0.420005, 0.370006};
const std::vector<double> quick{0.115001, 0.117002, 0.112003, 0.121004, 0.119005, 0.114006};

Cell bench_cell(int boots = 6, int samples = 1, Arch arch = Arch::x86_64) {
    Cell cell = hand_built::cell(arch);
    cell.benchmarks = {hand_built::benchmark(boots, samples)};
    return cell;
}

struct Latency : testing::Test {
    Latency() : run(hand_built::run({bench_cell()})) {}
    void boots(Kernel kernel, const std::vector<double>& means_ms, const std::string& cell = x86) {
        hand_built::benchmark_boots(run, kernel, cell, means_ms);
    }
    void emulate() {
        for (BootResult& boot : run.boots)
            boot.machine.accel = Accel::tcg;
    }
    std::vector<LatencyComparison> compare(const LatencyOptions& options = {}) const {
        return compare_latency(run, compare_builds(run), options);
    }
    LatencyComparison one(const LatencyOptions& options = {}) const {
        const auto all = compare(options);
        EXPECT_THAT(all, SizeIs(1));
        return all.at(0);
    }
    RunResult run;
};

// The figures of results/statistics/welch_test.cpp, which R gave, but for the last digit:
// ratio 0.2947, 95 % interval 0.2798 to 0.3104.
TEST_F(Latency, FasterOutsideTheMargin) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::faster);
    EXPECT_NEAR(*latency.ratio, 0.29469, 1e-4);
    EXPECT_NEAR(latency.test->ratio_95.low, 0.27979, 1e-4);
    EXPECT_NEAR(latency.test->ratio_95.high, 0.31038, 1e-4);
    EXPECT_NEAR(latency.test->p_permutation, 2.0 / 924, 1e-12);
    EXPECT_EQ(latency.margin_source, MarginSource::gate);
    EXPECT_FALSE(latency.emulated);
    EXPECT_THAT(latency.notes, IsEmpty());
    EXPECT_EQ(sentence(latency), "smaps_rollup: mmap/munmap calls are 3.4 times faster (ratio "
                                 "0.295, 95 % interval 0.280 to 0.310, p below 0.0001)");
    emulate();
    EXPECT_EQ(sentence(one()), "smaps_rollup: mmap/munmap calls are 3.4 times faster (ratio 0.295, "
                               "95 % interval 0.280 to 0.310, p below 0.0001), emulated");
}

TEST_F(Latency, SlowerTheOtherWayRound) {
    boots(Kernel::baseline, quick);
    boots(Kernel::patched, slow);
    EXPECT_EQ(one().verdict, LatencyVerdict::slower);
    EXPECT_THAT(sentence(one()), HasSubstr("calls are 3.4 times slower (ratio 3.39,"));
}

TEST_F(Latency, TheBootIsTheUnitAndItsFigureTheMeanOfLogs) {
    run = hand_built::run({bench_cell(2, 2)});
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        for (const int number : {2, 1})
            hand_built::benchmark_boot(run, kernel, x86, number, {0.1, 0.4});
    const LatencyComparison latency = one();
    ASSERT_THAT(latency.side.baseline.boots, SizeIs(2));
    EXPECT_NEAR(latency.side.baseline.boots[0].mean_ms, 0.2, 1e-12); // sqrt(0.1 * 0.4)
    EXPECT_EQ(latency.side.baseline.boots[0].number, 1);
    EXPECT_EQ(latency.side.baseline.boots[0].samples, 2);
    EXPECT_EQ(latency.test->boots.baseline, 2);
}

TEST_F(Latency, EquivalentWithinTheMargin) {
    boots(Kernel::baseline, {1.00001, 1.01002, 0.99003, 1.02004, 1.00005, 0.98006});
    boots(Kernel::patched, {1.01001, 1.00002, 1.02003, 1.01004, 0.99005, 1.03006});
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::equivalent);
    EXPECT_THAT(sentence(latency), HasSubstr("are the same within 5 % (ratio 1.01, 90 % interval"));
}

TEST_F(Latency, SmallChangesAreSmall) {
    // Two precise sides 4.6 % apart: the interval reaches over the margin's edge.
    boots(Kernel::baseline, {1.0001, 1.0101, 0.9901, 1.0002, 1.0102, 0.9902});
    boots(Kernel::patched, {1.0461, 1.0561, 1.0361, 1.0462, 1.0562, 1.0362});
    EXPECT_EQ(one().verdict, LatencyVerdict::changed_but_small);
    EXPECT_THAT(sentence(one()), HasSubstr("4.6 % slower, which is within the margin of 5 %"));
}

TEST_F(Latency, NoiseIsInconclusiveAndSaysWhatWouldSettleIt) {
    boots(Kernel::baseline, {0.9001, 1.1002, 1.0003, 1.2004, 0.8005, 1.0006});
    boots(Kernel::patched, {1.0001, 0.9002, 1.2003, 1.1004, 0.8005, 1.1006});
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::inconclusive);
    EXPECT_THAT(latency.why, HasSubstr("tells no difference"));
    // R 4.2.2: l <- log(c(.9001,1.1002,1.0003,1.2004,.8005,1.0006));
    //   m <- log(c(1.0001,.9002,1.2003,1.1004,.8005,1.1006))
    //   power.t.test(delta=log(1.05), sd=sqrt((var(l)+var(m))/2), power=.8)$n = 142.4555
    EXPECT_EQ(latency.boots_to_see, 143);
    EXPECT_EQ(latency.settle, "about 143 boots a side, by the noise between these");
}

TEST_F(Latency, FewerThanFourBootsAreInconclusive) {
    boots(Kernel::baseline, {slow[0], slow[1], slow[2]});
    boots(Kernel::patched, quick);
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::inconclusive);
    EXPECT_TRUE(latency.test);
    EXPECT_FALSE(latency.p_holm);
    EXPECT_EQ(latency.why, "3 boots with figures on baseline and 6 on patched are too few for a "
                           "verdict, which takes 4 a side");
}

TEST_F(Latency, OneBootASideHasARatioAndNoInterval) {
    boots(Kernel::baseline, {0.400001});
    boots(Kernel::patched, {0.100001});
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::inconclusive);
    EXPECT_NEAR(*latency.ratio, 0.25, 1e-4);
    EXPECT_FALSE(latency.test);
    EXPECT_FALSE(latency.boots_to_see);
    EXPECT_EQ(latency.settle, "4 boots a side");
}

TEST_F(Latency, NoBootsAreNotMeasured) {
    EXPECT_EQ(one().verdict, LatencyVerdict::not_measured);
    EXPECT_EQ(one().why, "baseline has no boot of it");
    boots(Kernel::baseline, slow);
    EXPECT_EQ(sentence(one()), "smaps_rollup: not measured: patched has no boot of it");
}

// ---- what gives no figure

TEST_F(Latency, BootsWithAnErrorAreListedAndNoNumbers) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    run.boots.back().sample_error = "the scanner could not start";
    const LatencyComparison latency = one();
    EXPECT_THAT(latency.side.patched.boots, SizeIs(5));
    ASSERT_THAT(latency.side.patched.without_figure, SizeIs(1));
    EXPECT_EQ(latency.side.patched.without_figure[0].why, "the scanner could not start");
    EXPECT_THAT(latency.notes, ElementsAre(x86 + "/patched/smaps_rollup-6 gives no figure: the "
                                                 "scanner could not start"));
}

TEST_F(Latency, AllThatGivesNoFigureSaysWhy) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
    BootResult* patched = &run.boots[6];
    patched[0].outcome = Hung{60};
    patched[1].samples.clear();
    patched[2].samples.push_back(hand_built::sample(0.1));
    patched[3].samples[0].scans = patched[3].samples[0].scan_bytes = 0;
    patched[4].samples[0].busy_loops = 0;
    patched[5].samples[0].mean_ms = std::nan("");
    patched[6].samples[0].mean_ms = -1;
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::not_measured);
    std::vector<std::string> whys;
    for (const BootWithoutFigure& boot : latency.side.patched.without_figure)
        whys.push_back(boot.why);
    EXPECT_THAT(
        whys, ElementsAre(sentence(BootOutcome(Hung{60})), "it took no sample",
                          "it took 2 of 1 samples", "sample 1: its scanner never read the file",
                          "sample 1: its busy task never ran", "sample 1: its mean is no duration",
                          "sample 1: its mean is no duration"));
    EXPECT_THAT(latency.why, HasSubstr("no boot of patched gives a figure"));
    EXPECT_THAT(latency.why, HasSubstr("(and 6 more)"));
}

// ---- zeros, ties, hangs, outliers

TEST_F(Latency, ZerosAreTakenForHalfAUnit) {
    boots(Kernel::baseline, {0.132, 0.121, 0.123, 0.125, 0.130, 0.134});
    boots(Kernel::patched, {0, 0, 0, 0, 0, 0});
    const LatencyComparison latency = one();
    EXPECT_NEAR(latency.side.patched.mean_ms, 0.0005, 1e-12);
    EXPECT_EQ(latency.side.patched.censored, 6);
    EXPECT_THAT(latency.notes, Contains(HasSubstr("6 of patched's samples are 0")));
    // Half a unit of half a unit: a factor of e. The ratio of 1/255 is far outside of it.
    EXPECT_EQ(latency.margin_source, MarginSource::rounding);
    EXPECT_NEAR(latency.margin, std::exp(1 + 0.0005 / 0.1274) - 1, 1e-3);
    EXPECT_EQ(latency.verdict, LatencyVerdict::faster);
}

TEST_F(Latency, ZerosEverywhereAreNoFigures) {
    boots(Kernel::baseline, {0, 0, 0, 0});
    boots(Kernel::patched, {0, 0, 0, 0});
    EXPECT_EQ(one().verdict, LatencyVerdict::not_measured);
    EXPECT_THAT(one().why, HasSubstr("its mean is 0"));
}

// 0.005 and 0.006 to a thousandth: they may be 0.0054 and 0.0055.
TEST_F(Latency, TiesOfCoarseFiguresAreNoChange) {
    boots(Kernel::baseline, {0.005, 0.005, 0.005, 0.005, 0.005, 0.005});
    boots(Kernel::patched, {0.006, 0.006, 0.006, 0.006, 0.006, 0.006});
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.margin_source, MarginSource::rounding);
    // By hand: 0.0005/0.005 + 0.0005/0.006 = 0.18333; e^0.18333 - 1 = 0.2012.
    EXPECT_NEAR(latency.margin, 0.2012, 1e-4);
    EXPECT_EQ(latency.verdict, LatencyVerdict::changed_but_small);
}

TEST_F(Latency, OneHungSampleIsFlaggedAndCounts) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    Sample& hung = run.boots.back().samples[0];
    hung.maps = hung.unmaps = 0;
    hung.mean_ms = 0;
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.side.patched.hung, 1);
    EXPECT_NEAR(latency.side.patched.boots[5].mean_ms, 5000, 1e-9);
    EXPECT_TRUE(latency.side.patched.boots[5].outlier);
    EXPECT_EQ(latency.side.patched.boots.size(), 6);
    EXPECT_EQ(latency.verdict, LatencyVerdict::inconclusive);
    EXPECT_THAT(latency.notes, Contains(HasSubstr("not one call finished")));
    EXPECT_THAT(latency.notes, Contains(HasSubstr("stands apart")));
}

// ---- what is not compared

TEST_F(Latency, UnlikeAddressSpacesAreRefused) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    for (BootResult& boot : run.boots)
        if (boot.kernel == Kernel::patched)
            boot.samples[0].vmas_end = 8'500;
    const LatencyComparison latency = one();
    EXPECT_EQ(latency.verdict, LatencyVerdict::refused);
    EXPECT_THAT(latency.why,
                HasSubstr("differ by more than 5 %: 8000 VMAs at the start and 8010 at "
                          "the end on baseline, 8000 and 8500 on patched"));
    EXPECT_TRUE(latency.ratio);
    EXPECT_FALSE(latency.p_holm);
    for (BootResult& boot : run.boots)
        if (boot.kernel == Kernel::patched)
            boot.samples[0].vmas_end = 8'400;
    EXPECT_EQ(one().verdict, LatencyVerdict::faster);
}

TEST_F(Latency, UnlikeAcceleratorsAreRefused) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    run.boots.back().machine.accel = Accel::tcg;
    EXPECT_EQ(one().verdict, LatencyVerdict::refused);
    EXPECT_THAT(one().why, HasSubstr("some boots ran under emulation and some did not"));
}

TEST_F(Latency, OneImageTwiceIsNoise) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    hand_built::make_images_equal(run);
    EXPECT_EQ(one().verdict, LatencyVerdict::same_image);
    EXPECT_EQ(sentence(one()), "smaps_rollup: the same kernel image twice: no difference is "
                               "possible; the measured ratio, 0.295, is noise");
}

// ---- margin, Holm, description

TEST_F(Latency, TheLargestMarginHolds) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    const NoiseKey key =
        noise_key(run.matrix.cells[0], run.matrix.cells[0].benchmarks[0], run.boots[0].machine);
    run.known.noise = {{key, 0.04, 1, {1, 1}, 6, "aa", ""}};
    EXPECT_EQ(one().margin_source, MarginSource::gate);
    run.known.noise[0].floor = 3;
    EXPECT_EQ(one().margin_source, MarginSource::noise_floor);
    EXPECT_EQ(one().margin, 3);
    EXPECT_EQ(one().verdict, LatencyVerdict::equivalent);
    run.matrix.gate.margin = 4;
    EXPECT_EQ(one().margin, 4);
}

// Two endpoints whose p is near 0.03 each: one alone is significant, Holm's of both is not.
TEST_F(Latency, HolmCountsTheRunsEndpoints) {
    const std::vector<double> a{1.00001, 1.10002, 0.90003, 1.05004, 0.95005, 1.00006};
    const std::vector<double> b{1.10001, 1.22002, 1.00003, 1.16004, 1.04005, 1.13006};
    boots(Kernel::baseline, a);
    boots(Kernel::patched, b);
    const double alone = *one().p_holm;
    EXPECT_LT(alone, 0.05);
    EXPECT_GT(alone, 0.025);
    EXPECT_EQ(one().verdict, LatencyVerdict::slower);
    run.matrix.cells.push_back(bench_cell(6, 1, Arch::arm64));
    boots(Kernel::baseline, a, arm);
    boots(Kernel::patched, b, arm);
    const auto both = compare();
    ASSERT_THAT(both, SizeIs(2));
    EXPECT_NEAR(*both[0].p_holm, 2 * alone, 1e-12);
    EXPECT_EQ(both[0].verdict, LatencyVerdict::inconclusive);
    // An endpoint that cannot have a verdict asks no question.
    for (BootResult& boot : run.boots)
        if (boot.cell == arm)
            boot.sample_error = "no";
    EXPECT_NEAR(*compare()[0].p_holm, alone, 1e-12);
}

TEST_F(Latency, TailsAndThroughputAreDescribed) {
    run = hand_built::run({bench_cell(1, 3)});
    hand_built::benchmark_boot(run, Kernel::baseline, x86, 1, {0.1, 0.2, 0.6});
    hand_built::benchmark_boot(run, Kernel::patched, x86, 1, {0.1, 0.1, 0.1});
    const LatencySide side = one().side.baseline;
    EXPECT_NEAR(side.p50_ms, 0.18, 1e-12); // of the sample in the middle
    EXPECT_NEAR(side.p90_ms, 0.3, 1e-12);
    EXPECT_NEAR(side.p99_ms, 0.6, 1e-12);
    EXPECT_NEAR(side.p999_ms, 1.0, 1e-12);
    EXPECT_NEAR(side.max_ms, 6, 1e-12);
    EXPECT_EQ(side.calls, 60'000);
    EXPECT_NEAR(side.calls_per_s, 4'000, 1e-9);
    EXPECT_NEAR(side.scans_per_s, 20, 1e-9);
    EXPECT_EQ(side.vmas_start, 8'000);
    EXPECT_EQ(side.vmas_end, 8'010);
}

TEST_F(Latency, OvercommitmentIsSaid) {
    boots(Kernel::baseline, slow);
    boots(Kernel::patched, quick);
    run.boots[0].machine.overcommitted = true;
    EXPECT_TRUE(one().overcommitted);
    EXPECT_THAT(one().notes, Contains(HasSubstr("more vCPUs were busy")));
}

// A command of the user's own gives a mean and nothing else.
TEST_F(Latency, FiguresOfAnOwnCommandAreEnough) {
    run.matrix.cells[0].benchmarks[0].command = "bench";
    run.matrix.cells[0].benchmarks[0].name = "mine";
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        hand_built::benchmark_boots(run, kernel, x86, kernel == Kernel::patched ? quick : slow,
                                    "mine");
    }
    for (BootResult& boot : run.boots) {
        Sample sample;
        sample.mean_ms = boot.samples[0].mean_ms;
        boot.samples = {sample};
    }
    EXPECT_EQ(one().verdict, LatencyVerdict::faster);
    EXPECT_THAT(sentence(one()), HasSubstr("mine: its figures are 3.4 times faster"));
    EXPECT_EQ(one().side.baseline.hung, 0);
}

TEST(SpeedText, SaysTimesOrPercent) {
    EXPECT_EQ(speed_text(0.0774), "13 times faster");
    EXPECT_EQ(speed_text(0.2947), "3.4 times faster");
    EXPECT_EQ(speed_text(0.88), "12 % faster");
    EXPECT_EQ(speed_text(0.9), "10 % faster");
    EXPECT_EQ(speed_text(0.985), "1.5 % faster");
    EXPECT_EQ(speed_text(1.0001), "unchanged");
    EXPECT_EQ(speed_text(1.12), "12 % slower");
    EXPECT_EQ(speed_text(2.1), "2.1 times slower");
}

} // namespace
} // namespace kmatrix

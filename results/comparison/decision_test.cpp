// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/decision.h"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "results/statistics/describe.h"

namespace kmatrix {
namespace {

std::vector<double> logs(std::vector<double> values) {
    for (double& value : values)
        value = std::log(value);
    return values;
}

// R 4.2.2, as in results/statistics/welch_test.cpp: exp(t.test(b, a)$conf.int),
//   exp(-1.2218299990012127) = 0.29469038, exp of the 95 % interval 0.27978949 to 0.31038487
TEST(TestRatio, IsTheExponentialOfWelchOnLogs) {
    const auto test = test_ratio(logs({0.39, 0.41, 0.38, 0.40, 0.42, 0.37}),
                                 logs({0.115, 0.117, 0.112, 0.121, 0.119, 0.114}));
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->ratio, std::exp(-1.2218299990012127), 1e-12);
    EXPECT_NEAR(test->ratio_95.low, std::exp(-1.2737177531332382), 1e-12);
    EXPECT_NEAR(test->ratio_95.high, std::exp(-1.1699422448691872), 1e-12);
    EXPECT_NEAR(test->ratio_90.low, std::exp(-1.2637182177409350), 1e-12);
    EXPECT_NEAR(test->p, 9.1007226505273243e-12, 1e-20);
    EXPECT_NEAR(test->p_permutation, 2.0 / 924, 1e-12);
    EXPECT_EQ(test->boots.baseline, 6);
}

TEST(TestRatio, TakesTwoBootsASide) {
    EXPECT_FALSE(test_ratio(logs({1}), logs({1, 2})));
    EXPECT_FALSE(test_ratio(logs({1, 2}), {}));
    EXPECT_TRUE(test_ratio(logs({1, 2}), logs({1, 2})));
}

// Without any variance Welch would be certain after two boots; that the four of one side all lie
// above the four of the other happens by chance once in 35 times.
TEST(TestRatio, WithoutVarianceThePermutationTestDecides) {
    const auto test =
        test_ratio(logs({0.132, 0.132, 0.132, 0.132}), logs({0.006, 0.006, 0.006, 0.006}));
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p, 2.0 / 70, 1e-12);
    EXPECT_EQ(test->deviation, 0);
    EXPECT_EQ(decide(*test, test->p, 0.05), LatencyVerdict::faster);
    const auto same =
        test_ratio(logs({0.132, 0.132, 0.132, 0.132}), logs({0.132, 0.132, 0.132, 0.132}));
    EXPECT_EQ(same->p, 1);
    EXPECT_EQ(decide(*same, same->p, 0.05), LatencyVerdict::equivalent);
}

// Rounding to 0.001 hides the variance; with its own in place the interval is no point.
TEST(TestRatio, RoundingWidensTheInterval) {
    const double variance = 0.001 / 0.006 * (0.001 / 0.006) / 12;
    const auto test = test_ratio(logs({0.006, 0.006, 0.006, 0.006}),
                                 logs({0.006, 0.006, 0.006, 0.006}), {variance, variance});
    EXPECT_LT(test->ratio_90.low, 0.95);
    EXPECT_GT(test->ratio_90.high, 1.05);
    EXPECT_EQ(decide(*test, test->p, 0.05), LatencyVerdict::inconclusive);
}

RatioTest ratio_test(double ratio, double low_90, double high_90) {
    RatioTest test;
    test.ratio = ratio;
    test.ratio_90 = {low_90, high_90};
    return test;
}

TEST(Decide, TakesTheVerdictsInOrder) {
    EXPECT_EQ(decide(ratio_test(0.90, 0.85, 0.95), 0.01, 0.05), LatencyVerdict::faster);
    EXPECT_EQ(decide(ratio_test(1.10, 1.05, 1.15), 0.01, 0.05), LatencyVerdict::slower);
    EXPECT_EQ(decide(ratio_test(1.10, 1.05, 1.15), 0.06, 0.05), LatencyVerdict::inconclusive);
    // Significant, and within the margin all the same: equivalent comes first.
    EXPECT_EQ(decide(ratio_test(1.02, 1.01, 1.03), 0.01, 0.05), LatencyVerdict::equivalent);
    EXPECT_EQ(decide(ratio_test(1.04, 1.01, 1.07), 0.01, 0.05), LatencyVerdict::changed_but_small);
    EXPECT_EQ(decide(ratio_test(1.04, 0.98, 1.10), 0.20, 0.05), LatencyVerdict::inconclusive);
    EXPECT_EQ(decide(ratio_test(1.00, 0.97, 1.03), 0.90, 0.05), LatencyVerdict::equivalent);
}

TEST(Decide, MarginIsSymmetricForRatios) {
    const double edge = 1 / 1.05; // 0.95238
    EXPECT_EQ(decide(ratio_test(edge + 0.001, 0.90, 1.00), 0.01, 0.05),
              LatencyVerdict::changed_but_small);
    EXPECT_EQ(decide(ratio_test(edge - 0.001, 0.90, 1.00), 0.01, 0.05), LatencyVerdict::faster);
    EXPECT_EQ(decide(ratio_test(1.20, 1.10, 1.30), 0.01, 0.25), LatencyVerdict::changed_but_small);
}

// ---- A seeded simulation ------------------------------------------------------------------------

// Normal deviates, the same with every standard library: G. E. P. Box and M. E. Muller, "A Note on
// the Generation of Random Normal Deviates", Annals of Mathematical Statistics 29 (1958) 610-611.
class Noise {
  public:
    explicit Noise(std::uint64_t seed) : engine_(seed) {}
    double operator()(double deviation) {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return deviation * radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
    std::mt19937_64 engine_;
};

struct World {
    int boots = 6;
    int samples = 2;
    double between = 0; // standard deviations of logarithms
    double within = 0;
};

// Logarithms of samples, boot by boot.
std::vector<std::vector<double>> side(const World& world, double log_mean, Noise& noise) {
    std::vector<std::vector<double>> boots;
    for (int boot = 0; boot < world.boots; ++boot) {
        const double luck = log_mean + noise(world.between);
        std::vector<double> samples;
        for (int sample = 0; sample < world.samples; ++sample)
            samples.push_back(luck + noise(world.within));
        boots.push_back(std::move(samples));
    }
    return boots;
}

std::vector<double> means(const std::vector<std::vector<double>>& boots) {
    std::vector<double> means;
    for (const std::vector<double>& samples : boots)
        means.push_back(statistics::mean(samples));
    return means;
}

std::vector<double> pooled(const std::vector<std::vector<double>>& boots) {
    std::vector<double> all;
    for (const std::vector<double>& samples : boots)
        all.insert(all.end(), samples.begin(), samples.end());
    return all;
}

bool changed(const std::optional<RatioTest>& test) {
    const LatencyVerdict verdict = decide(*test, test->p, 0.05);
    return verdict == LatencyVerdict::faster || verdict == LatencyVerdict::slower;
}

// A fifth of the variance lies between boots. The noise is so large that the margin forgives none.
World one_fifth_between(int boots, int samples) {
    return {boots, samples, std::sqrt(0.2 * 0.25), std::sqrt(0.8 * 0.25)};
}

int changed_of_1000(const World& world, double true_ratio, std::uint64_t seed) {
    Noise noise(seed);
    int found = 0;
    for (int run = 0; run < 1000; ++run) {
        const auto baseline = side(world, 0, noise);
        const auto patched = side(world, std::log(true_ratio), noise);
        found += changed(test_ratio(means(baseline), means(patched))) ? 1 : 0;
    }
    return found;
}

TEST(Simulation, AtMostSixPercentOfUnchangedKernelsAreCalledChanged) {
    EXPECT_LE(changed_of_1000(one_fifth_between(6, 2), 1, 1), 60);
    EXPECT_LE(changed_of_1000(one_fifth_between(5, 20), 1, 1), 60);
    EXPECT_LE(changed_of_1000(one_fifth_between(4, 4), 1, 1), 60);
}

// The same judgement of the same samples, pooled over boots: what the test above guards against.
TEST(Simulation, PoolingSamplesOverBootsCallsManyOfThemChanged) {
    Noise noise(1);
    int significant = 0;
    for (int run = 0; run < 1000; ++run) {
        const auto baseline = pooled(side(one_fifth_between(5, 20), 0, noise));
        const auto patched = pooled(side(one_fifth_between(5, 20), 0, noise));
        significant += statistics::welch(baseline, patched)->p() < 0.05 ? 1 : 0;
    }
    EXPECT_GE(significant, 300);
}

TEST(Simulation, ATrueFifthIsFoundWithSixBootsASide) {
    const World quiet{6, 2, 0.03, 0};
    EXPECT_GE(changed_of_1000(quiet, 1.2, 1), 900);
    EXPECT_GE(changed_of_1000(quiet, 0.8, 1), 900);
    // And its direction is right.
    Noise noise(1);
    const auto baseline = side(quiet, 0, noise);
    const auto patched = side(quiet, std::log(0.8), noise);
    const auto test = test_ratio(means(baseline), means(patched));
    EXPECT_EQ(decide(*test, test->p, 0.05), LatencyVerdict::faster);
}

TEST(Simulation, QuietUnchangedKernelsAreCalledEquivalent) {
    Noise noise(1);
    const World quiet{6, 2, 0.01, 0.01};
    int equivalent = 0;
    for (int run = 0; run < 200; ++run) {
        const auto test = test_ratio(means(side(quiet, 0, noise)), means(side(quiet, 0, noise)));
        equivalent += decide(*test, test->p, 0.05) == LatencyVerdict::equivalent ? 1 : 0;
    }
    EXPECT_GE(equivalent, 190);
}

} // namespace
} // namespace kmatrix

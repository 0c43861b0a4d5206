// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/reruns.h"

#include <algorithm>

#include <fmt/format.h>

namespace kmatrix {
namespace {

bool differs(const TestComparison& test) {
    return test.verdict == TestVerdict::regressed || test.verdict == TestVerdict::fixed ||
           test.verdict == TestVerdict::flaky;
}

// A result that was lost with its boot is a matter of the boot.
bool failed(const TestComparison& test) {
    return test.side.baseline.failed + test.side.patched.failed != 0;
}

bool completes(const Comparison& comparison, const std::string& cell) {
    return std::all_of(
        comparison.boots.begin(), comparison.boots.end(), [&](const BootComparison& boots) {
            return boots.cell != cell || boots.benchmark || boots.verdict == BootVerdict::boots;
        });
}

bool same_image(const Comparison& comparison, const Cell& cell) {
    return std::any_of(comparison.builds.begin(), comparison.builds.end(),
                       [&](const BuildComparison& build) {
                           return build.key == cell.build() && build.same_image;
                       });
}

int times(double each_s) {
    if (each_s * most_times <= rerun_s)
        return most_times;
    return std::max(fewest_times, static_cast<int>(rerun_s / each_s));
}

// A program is run whole, and in both forms where the series edits it.
std::vector<Rerun> reruns_of(const Cell& cell, const std::vector<TestComparison>& tests) {
    std::vector<Rerun> reruns;
    for (const TestComparison& test : tests) {
        if (test.cell != cell.id || !test.counted || !differs(test) || !failed(test))
            continue;
        const bool known = std::any_of(reruns.begin(), reruns.end(), [&](const Rerun& rerun) {
            return rerun.target == test.target && rerun.test == test.test;
        });
        if (known)
            continue;
        double each_s = 0;
        for (const TestComparison& program : tests)
            if (program.cell == cell.id && program.depth == 0 && program.target == test.target &&
                program.test == test.test)
                each_s =
                    std::max({each_s, program.side.baseline.seconds, program.side.patched.seconds});
        reruns.push_back({test.target, test.test, times(each_s), each_s});
    }
    return reruns;
}

} // namespace

std::vector<PlannedBoot> reruns(const RunResult& run, const Comparison& comparison) {
    std::vector<PlannedBoot> boots;
    for (std::size_t i = 0; i < run.matrix.cells.size(); ++i) {
        const Cell& cell = run.matrix.cells[i];
        const bool known = std::any_of(run.info.reruns.begin(), run.info.reruns.end(),
                                       [&](const PlannedBoot& boot) { return boot.cell == i; });
        if (known || !completes(comparison, cell.id) || same_image(comparison, cell))
            continue;
        const std::vector<Rerun> tests = reruns_of(cell, comparison.tests);
        if (tests.empty() || tests.size() > most_reruns)
            continue;
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            boots.push_back({fmt::format("{}/{}/functional-again", cell.id, to_string(kernel)), i,
                             kernel, std::nullopt, 2, tests});
    }
    return boots;
}

} // namespace kmatrix

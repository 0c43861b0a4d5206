// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/tested_by.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/comparison/notes.h"

namespace kmatrix {
namespace {

bool only_changes_selftests(const SeriesInfo& series) {
    return !series.letters.empty() &&
           std::all_of(series.letters.begin(), series.letters.end(), [](const Letter& letter) {
               return std::all_of(letter.files.begin(), letter.files.end(), [](const auto& file) {
                   return file.starts_with("tools/testing/");
               });
           });
}

void doubt_builds(const RunResult& run, const Comparison& comparison,
                  std::vector<std::string>& found) {
    for (const BuildComparison& build : comparison.builds)
        if (build.verdict != BuildVerdict::builds && build.verdict != BuildVerdict::fixed)
            found.push_back(fmt::format("build {}: {}", name(build.key), to_string(build.verdict)));
    const bool unchanged =
        std::all_of(comparison.builds.begin(), comparison.builds.end(),
                    [](const BuildComparison& build) { return build.same_image; });
    if (unchanged && !only_changes_selftests(run.info.series))
        found.emplace_back("the series does not change the kernels that were built");
}

void doubt_boots(const RunResult& run, const Comparison& comparison,
                 std::vector<std::string>& found) {
    for (const BootComparison& boots : comparison.boots) {
        const BootTally& patched = boots.side.patched;
        if (patched.completed == 0 || patched.completed != patched.planned)
            found.push_back(fmt::format("{}: {} of {} {} boots of the patched kernel completed",
                                        boots.cell, patched.completed, patched.planned,
                                        work(boots)));
        else if (boots.verdict != BootVerdict::boots && boots.verdict != BootVerdict::fixed)
            found.push_back(fmt::format("{}: boots: {}", boots.cell, to_string(boots.verdict)));
    }
    for (const Cell& cell : run.matrix.cells)
        if (std::none_of(comparison.boots.begin(), comparison.boots.end(),
                         [&](const BootComparison& boots) { return boots.cell == cell.id; }))
            found.push_back(cell.id + ": not booted");
    if (!run.not_run.empty())
        found.push_back(boots_not_run(run));
}

void doubt_tests(const Comparison& comparison, std::vector<std::string>& found) {
    for (const TestComparison& test : comparison.tests) {
        if (!test.counted)
            continue;
        const TestTally& patched = test.side.patched;
        const bool undecided = test.verdict == TestVerdict::flaky ||
                               test.verdict == TestVerdict::missing ||
                               test.verdict == TestVerdict::not_compared;
        const bool new_and_failing =
            test.verdict == TestVerdict::appeared && patched.failed + patched.missing != 0;
        if (undecided || new_and_failing)
            found.push_back(fmt::format("{}: {}: {}{}", test.cell, name(test),
                                        to_string(test.verdict), new_and_failing ? ", fails" : ""));
    }
    const TestCounts counts = count(comparison.tests);
    if (counts.all() > 0 && counts.passes + counts.fixed + counts.appeared == 0)
        found.emplace_back("no test passes");
}

} // namespace

std::vector<std::string> doubts(const RunResult& run, const Comparison& comparison) {
    std::vector<std::string> found;
    if (comparison.outcome != Outcome::as_wanted)
        found.push_back(fmt::format("outcome: {}", to_string(comparison.outcome)));
    for (const Regression& regression : comparison.regressions)
        if (regression.lane != Lane::warning)
            found.push_back(fmt::format("{}: {}", regression.cell, regression.what));
    doubt_builds(run, comparison, found);
    doubt_boots(run, comparison, found);
    doubt_tests(comparison, found);
    return found;
}

std::vector<Arch> architectures(const RunResult& run) {
    std::vector<Arch> all;
    for (const Cell& cell : run.matrix.cells)
        if (std::find(all.begin(), all.end(), cell.axes.arch) == all.end())
            all.push_back(cell.axes.arch);
    return all;
}

std::string accelerator(const RunResult& run, Arch arch) {
    bool kvm = false;
    bool tcg = false;
    for (const BootResult& boot : run.boots) {
        const auto cell = std::find_if(run.matrix.cells.begin(), run.matrix.cells.end(),
                                       [&](const Cell& other) { return other.id == boot.cell; });
        if (cell == run.matrix.cells.end() || cell->axes.arch != arch)
            continue;
        (boot.machine.accel == Accel::kvm ? kvm : tcg) = true;
    }
    return kvm && tcg ? "KVM and TCG" : kvm ? "KVM" : "TCG";
}

std::string coverage(const RunResult& run) {
    std::string text;
    std::string last;
    for (const Arch arch : architectures(run)) {
        std::string how = accelerator(run, arch);
        if (!last.empty() && how != last)
            text += " under QEMU/" + last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(arch));
        last = std::move(how);
    }
    return text + " under QEMU/" + last;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/boots.h"

#include <algorithm>

#include <fmt/format.h>

#include "matrix/host.h"
#include "results/comparison/verdict_rule.h"
#include "results/console/known_findings.h"

namespace kmatrix {

namespace {

struct MayStall {
    bool operator()(const Completed&) const { return false; }
    bool operator()(const Panicked&) const { return false; }
    bool operator()(const Reset&) const { return false; }
    bool operator()(const Hung&) const { return true; }
    bool operator()(const NeverBooted&) const { return true; }
    bool operator()(const DeadlinePassed&) const { return true; }
    bool operator()(const AgentLost&) const { return false; }
};

BootFailure failure_of(const BootResult& boot, const Axes& axes) {
    const std::string what = sentence(boot.outcome);
    return {boot.id,
            std::string(name(boot.outcome)),
            what,
            boot.findings.empty() ? what : boot.findings.front().title,
            is_excused(boot, axes),
            boot.console,
            boot.console_tail,
            boot.command};
}

void add(BootTally& tally, const BootResult& boot, const Axes& axes) {
    ++tally.booted;
    ++tally.outcomes[std::string(name(boot.outcome))];
    if (std::holds_alternative<Completed>(boot.outcome))
        ++tally.completed;
    else
        tally.failures.push_back(failure_of(boot, axes));
}

const BuildComparison* build_of(const std::vector<BuildComparison>& builds, const Cell& cell) {
    const auto found =
        std::find_if(builds.begin(), builds.end(),
                     [&](const BuildComparison& build) { return build.key == cell.build(); });
    return found == builds.end() ? nullptr : &*found;
}

std::string why_none(const BuildComparison* build, const Sides<BootTally>& side) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        if (side.of(kernel).booted != 0)
            continue;
        if (build != nullptr && build->side.of(kernel).state == BuildState::broken)
            return fmt::format("{} did not build", to_string(kernel));
    }
    if (side.baseline.booted == 0 && side.patched.booted == 0)
        return "neither kernel was booted";
    return fmt::format("{} was not booted", side.baseline.booted == 0 ? "baseline" : "patched");
}

// Each side has a boot that counts.
BootVerdict judge(const Sides<statistics::Rate>& failing) {
    // A kernel must boot every time: one failure where there was none is enough.
    if (failing.baseline.hits == 0 && failing.patched.hits > 0)
        return BootVerdict::regressed;
    switch (judge_failures(failing).change) {
    case FailureChange::none_fails:
        return BootVerdict::boots;
    case FailureChange::more:
        return BootVerdict::regressed;
    case FailureChange::fewer:
        return BootVerdict::fixed;
    case FailureChange::always_fails:
        return BootVerdict::fails_on_both;
    case FailureChange::cannot_tell:
        return BootVerdict::flaky;
    }
    return BootVerdict::flaky;
}

const BootFailure& first_counted(const BootTally& tally) {
    const auto counted = std::find_if(tally.failures.begin(), tally.failures.end(),
                                      [](const BootFailure& failure) { return !failure.excused; });
    return counted == tally.failures.end() ? tally.failures.front() : *counted;
}

// "patched panicked: ... (1 of 6 boots)".
std::string failures_text(Kernel kernel, const BootTally& tally) {
    const std::size_t failed = tally.failing().hits;
    return fmt::format(
        "{} {}{}", to_string(kernel), first_counted(tally).what,
        tally.booted == 1 ? "" : fmt::format(" ({} of {} boots failed)", failed, tally.booted));
}

void judge(BootComparison& boots, const BuildComparison* build) {
    const Sides<BootTally>& side = boots.side;
    if (side.baseline.booted == 0 || side.patched.booted == 0) {
        boots.verdict = BootVerdict::not_compared;
        boots.why = why_none(build, side);
        if (side.patched.failing().hits > 0)
            boots.why += "; " + failures_text(Kernel::patched, side.patched);
        if (side.baseline.failing().hits > 0)
            boots.why += "; " + failures_text(Kernel::baseline, side.baseline);
        return;
    }
    const Sides<statistics::Rate> failing{side.baseline.failing(), side.patched.failing()};
    if (failing.baseline.trials == 0 || failing.patched.trials == 0) {
        boots.verdict = BootVerdict::no_verdict;
        const Kernel kernel = failing.patched.trials == 0 ? Kernel::patched : Kernel::baseline;
        boots.why = fmt::format("{}; only stalls were seen, and so many emulated vCPUs stall on "
                                "any kernel here",
                                failures_text(kernel, side.of(kernel)));
        return;
    }
    boots.verdict = judge(failing);
    if (failing.patched.hits > 0)
        boots.why = failures_text(Kernel::patched, side.patched);
    else if (failing.baseline.hits > 0)
        boots.why = failures_text(Kernel::baseline, side.baseline);
    if (boots.verdict == BootVerdict::regressed && build != nullptr && build->same_image) {
        boots.verdict = BootVerdict::flaky;
        boots.why += "; baseline is the same kernel image, so this is chance";
    }
}

} // namespace

std::string_view to_string(BootVerdict verdict) {
    switch (verdict) {
    case BootVerdict::boots:
        return "boots";
    case BootVerdict::regressed:
        return "regressed";
    case BootVerdict::fixed:
        return "fixed";
    case BootVerdict::fails_on_both:
        return "fails on both";
    case BootVerdict::flaky:
        return "flaky";
    case BootVerdict::no_verdict:
        return "no verdict";
    case BootVerdict::not_compared:
        return "not compared";
    }
    return "unknown";
}

std::size_t BootTally::excused() const {
    return static_cast<std::size_t>(
        std::count_if(failures.begin(), failures.end(),
                      [](const BootFailure& failure) { return failure.excused; }));
}

statistics::Rate BootTally::failing() const {
    return statistics::rate(failures.size() - excused(), booted - excused());
}

bool is_excused(const BootResult& boot, const Axes& axes) {
    return std::visit(MayStall{}, boot.outcome) && boot.machine.accel == Accel::tcg &&
           axes.vcpus > easy_emulated_vcpus(axes.arch) && axes.vcpus > boot.machine.host_cpus &&
           !boot.findings.empty() &&
           std::all_of(boot.findings.begin(), boot.findings.end(), is_stall);
}

std::vector<BootComparison> compare_boots(const RunResult& run,
                                          const std::vector<BuildComparison>& builds) {
    std::vector<BootComparison> comparisons;
    // By cell and benchmark; "" is functional.
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const PlannedBoot& planned : run.planned_boots()) {
        const Cell& cell = run.matrix.cells[planned.cell];
        const std::string benchmark =
            planned.benchmark ? cell.benchmarks[*planned.benchmark].name : "";
        const auto [place, fresh] = places.try_emplace({cell.id, benchmark}, comparisons.size());
        if (fresh) {
            comparisons.push_back({});
            comparisons.back().cell = cell.id;
            if (planned.benchmark)
                comparisons.back().benchmark = benchmark;
        }
        ++comparisons[place->second].side.of(planned.kernel).planned;
    }
    std::map<std::string, const Cell*> cells;
    for (const Cell& cell : run.matrix.cells)
        cells[cell.id] = &cell;
    for (const BootResult& boot : run.boots) {
        const auto place = places.find({boot.cell, boot.benchmark.value_or("")});
        if (place == places.end())
            continue; // of a matrix that has changed since
        BootComparison& comparison = comparisons[place->second];
        add(comparison.side.of(boot.kernel), boot, cells.at(boot.cell)->axes);
        comparison.emulated |= boot.machine.accel == Accel::tcg;
    }
    for (BootComparison& comparison : comparisons)
        judge(comparison, build_of(builds, *cells.at(comparison.cell)));
    return comparisons;
}

std::string work(const BootComparison& boots) {
    return boots.benchmark.value_or("functional");
}

std::string boots_of(const std::vector<BootComparison>& all, std::string_view cell) {
    std::size_t planned = 0;
    std::size_t completed = 0;
    for (const BootComparison& boots : all) {
        if (boots.cell != cell)
            continue;
        planned += boots.side.baseline.planned + boots.side.patched.planned;
        completed += boots.side.baseline.completed + boots.side.patched.completed;
    }
    return fmt::format("{} of {}", completed, planned);
}

} // namespace kmatrix

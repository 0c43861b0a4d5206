// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/regressions.h"
#include "results/comparison/runs_verdict.h"

namespace kmatrix {

namespace {

std::vector<std::string> cells_without(const RunResult& run, const RunResult& other) {
    std::vector<std::string> ids;
    for (const Cell& cell : run.matrix.cells)
        if (find_cell(other.matrix, cell.id) == nullptr)
            ids.push_back(cell.id);
    return ids;
}

const BuildComparison* find(const std::vector<BuildComparison>& builds, const BuildKey& key) {
    const auto found = std::find_if(builds.begin(), builds.end(),
                                    [&](const BuildComparison& one) { return one.key == key; });
    return found == builds.end() ? nullptr : &*found;
}

// A series' own warnings in one run that the other run's series does not bring. A patched build
// compiles only what its series touches, so a warning counts as gone where the whole of that kernel
// is known to be without it: neither its patched build nor its baseline has it, and both succeeded.
std::vector<Warning> warnings_alone(const BuildComparison* in, const RunResult& other_run,
                                    const BuildComparison* other) {
    if (in == nullptr || other == nullptr || other->side.baseline.state != BuildState::built ||
        other->side.patched.state != BuildState::built)
        return {};
    using Known = std::tuple<std::string, std::string, std::string>;
    std::set<Known> known;
    for (const BuildResult& build : other_run.builds)
        if (build.key == in->key)
            for (const Warning& warning : build.warnings)
                known.insert({warning.file, warning.option, warning.message});
    std::vector<Warning> alone;
    for (const Warning& warning : in->new_warnings)
        if (known.count({warning.file, warning.option, warning.message}) == 0)
            alone.push_back(warning);
    return alone;
}

const FindingComparison* find(const std::vector<FindingComparison>& findings,
                              const FindingComparison& like) {
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const FindingComparison& one) {
            return one.cell == like.cell && one.example.klass == like.example.klass &&
                   one.example.title == like.example.title;
        });
    return found == findings.end() ? nullptr : &*found;
}

using TestPlace = std::pair<std::string, std::string>; // cell and name

std::map<TestPlace, TestVerdict> verdicts_of(const Comparison& comparison) {
    std::map<TestPlace, TestVerdict> verdicts;
    for (const TestComparison& test : comparison.tests)
        verdicts.emplace(TestPlace{test.cell, name(test)}, test.verdict);
    return verdicts;
}

std::optional<TestVerdict> look_up(const std::map<TestPlace, TestVerdict>& verdicts,
                                   const TestPlace& place) {
    const auto found = verdicts.find(place);
    return found == verdicts.end() ? std::nullopt : std::optional(found->second);
}

std::vector<BuildChange> build_changes(const RunResult& a, const RunResult& b,
                                       const InRuns<Comparison>& own,
                                       std::vector<BuildComparison>& judged) {
    std::vector<BuildChange> changes;
    changes.reserve(judged.size());
    for (BuildComparison& build : judged) {
        const BuildComparison* in_a = find(own.a.builds, build.key);
        const BuildComparison* in_b = find(own.b.builds, build.key);
        build.new_warnings = warnings_alone(in_b, a, in_a);
        changes.push_back({build.key,
                           build.cells,
                           {build.side.baseline, build.side.patched},
                           build.verdict,
                           build.same_image,
                           build.new_warnings,
                           warnings_alone(in_a, b, in_b)});
    }
    return changes;
}

std::vector<FindingChange> finding_changes(const InRuns<Comparison>& own,
                                           std::vector<FindingComparison>& judged) {
    std::vector<FindingChange> changes;
    changes.reserve(judged.size());
    for (FindingComparison& finding : judged) {
        const bool in_b = finding.boots.patched != 0;
        const FindingComparison* there = find(in_b ? own.b.findings : own.a.findings, finding);
        const bool on_own_baseline = there != nullptr && there->verdict == FindingVerdict::on_both;
        changes.push_back({finding.cell,
                           {finding.boots.baseline, finding.boots.patched},
                           {finding.of.baseline, finding.of.patched},
                           finding.verdict,
                           on_own_baseline,
                           finding.example,
                           finding.console});
        // The kernel does it without B's series too.
        if (on_own_baseline && finding.verdict == FindingVerdict::blamed)
            finding.verdict = FindingVerdict::on_both;
    }
    return changes;
}

std::vector<TestChange> test_changes(const InRuns<Comparison>& own,
                                     const std::vector<TestComparison>& judged) {
    const InRuns<std::map<TestPlace, TestVerdict>> verdicts{verdicts_of(own.a), verdicts_of(own.b)};
    std::vector<TestChange> changes;
    changes.reserve(judged.size());
    for (const TestComparison& test : judged) {
        const TestPlace place{test.cell, name(test)};
        changes.push_back({test.cell,
                           place.second,
                           test.counted,
                           {test.side.baseline, test.side.patched},
                           test.verdict,
                           {look_up(verdicts.a, place), look_up(verdicts.b, place)}});
    }
    return changes;
}

std::vector<std::string> notes_of(const RunResult& a, const RunResult& b, bool emulated) {
    std::vector<std::string> notes;
    if (emulated)
        notes.emplace_back("measured under emulation (TCG): times are not those of hardware");
    if (a.info.baseline_commit != b.info.baseline_commit)
        notes.push_back(fmt::format("the baselines differ, {} in A and {} in B: what differs may "
                                    "come from there",
                                    a.info.baseline_describe, b.info.baseline_describe));
    if (a.info.patched_tree == b.info.patched_tree)
        notes.emplace_back("both runs are of the same patched source: what differs is chance");
    else if (a.info.series.changes_selftests || b.info.series.changes_selftests)
        notes.emplace_back("each run has the selftests of its own patched tree, and a version of "
                           "the series edits selftests: a result may differ because its test does");
    for (const auto* run : {&a, &b}) {
        const char* label = run == &a ? "A" : "B";
        if (!run->not_run.empty())
            notes.push_back(fmt::format("{} boots of {} were not run", run->not_run.size(), label));
        if (!run->infrastructure.empty())
            notes.push_back(fmt::format("{}: not done: {}: {}", label,
                                        run->infrastructure.front().first,
                                        split(run->infrastructure.front().second, '\n').front()));
    }
    return notes;
}

} // namespace

bool TestChange::differs() const {
    const auto ran = [](const TestTally& tally) { return tally.passed + tally.failed != 0; };
    switch (verdict) {
    case TestVerdict::regressed:
    case TestVerdict::fixed:
    case TestVerdict::flaky:
    case TestVerdict::appeared:
        return true;
    case TestVerdict::missing:
    case TestVerdict::skipped:
        return ran(patched.a);
    case TestVerdict::passes:
    case TestVerdict::fails:
    case TestVerdict::not_compared:
        return false;
    }
    return false;
}

RunResult between(const RunResult& a, const RunResult& b, Kernel kernel) {
    RunResult run;
    run.info = b.info;
    run.known = b.known;
    run.matrix = b.matrix;
    std::erase_if(run.matrix.cells,
                  [&](const Cell& cell) { return find_cell(a.matrix, cell.id) == nullptr; });
    const auto add = [&](const RunResult& from, Kernel side) {
        for (BuildResult build : from.builds)
            if (build.kernel == kernel) {
                build.kernel = side;
                run.builds.push_back(std::move(build));
            }
        for (BootResult boot : from.boots)
            if (boot.kernel == kernel) {
                boot.kernel = side;
                if (side == Kernel::baseline)
                    boot.id = "A:" + boot.id;
                run.boots.push_back(std::move(boot));
            }
    };
    add(a, Kernel::baseline);
    add(b, Kernel::patched);
    return run;
}

int exit_status(const RunsComparison& runs) {
    return runs.gating == 0 ? 0 : static_cast<int>(Outcome::regressed);
}

Result<RunsComparison> compare_runs(const RunResult& a, const RunResult& b) {
    const RunResult patched = between(a, b, Kernel::patched);
    if (patched.matrix.cells.empty())
        return user_error("the two runs have no cell in common: there is nothing to compare");
    const InRuns<Comparison> own{compare(a), compare(b)};
    Comparison judged;
    judged.builds = compare_builds(patched);
    judged.boots = compare_boots(patched, judged.builds);
    judged.findings = compare_findings(patched, judged.builds);
    judged.tests = compare_tests(patched, judged.builds);

    RunsComparison runs;
    runs.run = {a.info, b.info};
    for (const Cell& cell : patched.matrix.cells)
        runs.cells.push_back(cell.id);
    runs.alone = {cells_without(a, b), cells_without(b, a)};
    runs.builds = build_changes(a, b, own, judged.builds);
    runs.boots.reserve(judged.boots.size());
    for (const BootComparison& boots : judged.boots)
        runs.boots.push_back(
            {boots.cell, work(boots), {boots.side.baseline, boots.side.patched}, boots.verdict});
    runs.findings = finding_changes(own, judged.findings);
    runs.tests = test_changes(own, judged.tests);
    runs.latency = compare_latency_of_runs(a, b, own);
    for (const LatencyChange& change : runs.latency)
        if (change.direct)
            judged.latency.push_back(*change.direct);
    runs.emulated = own.a.emulated || own.b.emulated;
    runs.notes = notes_of(a, b, runs.emulated);
    judged.regressions = find_regressions(patched, judged);
    runs.gating = judged.gating();
    runs.verdict = find_verdict(runs);
    return runs;
}

} // namespace kmatrix

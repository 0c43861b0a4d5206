// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/notes.h"

#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

using Values = std::set<std::string>;

std::string text(const Values& values) {
    return join({values.begin(), values.end()}, " or ");
}

struct Trait {
    const char* name;
    std::function<std::string(const Vitals&)> of;
};

const std::vector<Trait>& traits() {
    static const std::vector<Trait> all{
        {"vCPUs online", [](const Vitals& vitals) { return std::to_string(vitals.vcpus_online); }},
        {"clock source", [](const Vitals& vitals) { return vitals.clocksource; }},
        {"preemption", [](const Vitals& vitals) { return vitals.preemption; }},
        {"HZ", [](const Vitals& vitals) { return std::to_string(vitals.hz); }},
        {"page size", [](const Vitals& vitals) { return std::to_string(vitals.page_size_bytes); }},
    };
    return all;
}

// Where the guests of one cell differ in more than their kernel.
void note_unlike_guests(const RunResult& run, std::vector<std::string>& notes) {
    for (const Cell& cell : run.matrix.cells)
        for (const Trait& trait : traits()) {
            Sides<Values> values;
            for (const BootResult& boot : run.boots)
                if (boot.cell == cell.id && boot.vitals)
                    values.of(boot.kernel).insert(trait.of(*boot.vitals));
            if (!values.baseline.empty() && !values.patched.empty() &&
                values.baseline != values.patched)
                notes.push_back(fmt::format("{}: {}: {} on baseline, {} on patched", cell.id,
                                            trait.name, text(values.baseline),
                                            text(values.patched)));
        }
}

void note_absent_vcpus(const RunResult& run, std::vector<std::string>& notes) {
    for (const Cell& cell : run.matrix.cells)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            std::size_t boots = 0;
            for (const BootResult& boot : run.boots)
                if (boot.cell == cell.id && boot.kernel == kernel && boot.vitals &&
                    boot.vitals->vcpus_online < cell.axes.vcpus)
                    ++boots;
            if (boots != 0)
                notes.push_back(fmt::format("{}: {} brought up fewer than {} vCPUs in {} boot{}",
                                            cell.id, to_string(kernel), cell.axes.vcpus, boots,
                                            boots == 1 ? "" : "s"));
        }
}

} // namespace

std::vector<std::string> find_notes(const RunResult& run, const Comparison& comparison) {
    std::vector<std::string> notes;
    if (run.info.shard.of > 0)
        notes.push_back(fmt::format("shard {} of {}: other cells of the matrix ran elsewhere, and "
                                    "Holm's correction is over this shard's benchmarks only",
                                    run.info.shard.number, run.info.shard.of));
    if (comparison.emulated) {
        Values emulated;
        for (const BootResult& boot : run.boots)
            if (boot.machine.accel == Accel::tcg)
                emulated.insert(boot.cell);
        notes.push_back(fmt::format("{} ran under emulation (TCG): times measured there are not "
                                    "those of hardware",
                                    emulated.size() == run.matrix.cells.size()
                                        ? "every cell"
                                        : join({emulated.begin(), emulated.end()}, ", ")));
    }
    for (const BuildComparison& build : comparison.builds)
        if (run.info.noise && build.verdict == BuildVerdict::builds && !build.same_image)
            notes.push_back(fmt::format("{}: two builds of one source gave two images, and the "
                                        "noise floor holds their difference too",
                                        name(build.key)));
        else if (build.same_image && !run.info.noise)
            notes.push_back(fmt::format("{}: both kernels have the same image: the series does not "
                                        "change this kernel",
                                        name(build.key)));
    for (const BootComparison& boots : comparison.boots)
        if (boots.verdict == BootVerdict::no_verdict)
            notes.push_back(fmt::format("{}, {}: {}", boots.cell, work(boots), boots.why));
    note_unlike_guests(run, notes);
    note_absent_vcpus(run, notes);
    if (!run.not_run.empty())
        notes.push_back(boots_not_run(run));
    for (const auto& [what, error] : run.infrastructure)
        notes.push_back(fmt::format("not done: {}: {}", what, first_line(error)));
    return notes;
}

std::string boots_not_run(const RunResult& run) {
    return fmt::format("{} of {} boots {} not run", run.not_run.size(), run.planned_boots().size(),
                       run.not_run.size() == 1 ? "was" : "were");
}

} // namespace kmatrix

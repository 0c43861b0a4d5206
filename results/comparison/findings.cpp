// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "results/comparison/boots.h"
#include "results/console/known_findings.h"

namespace kmatrix {

namespace {

using Fault = std::pair<std::string, std::string>; // class and title

struct CellBoots {
    Sides<std::size_t> booted;
    Sides<bool> completed; // any
};

// One fault in one cell, while its sightings are gathered.
struct Sightings {
    FindingComparison comparison;
    bool only_harmless_on_patched =
        true; // stalls under emulation, in boots that went on or are excused
};

class Gathering {
  public:
    explicit Gathering(const RunResult& run) {
        for (const Cell& cell : run.matrix.cells)
            cells_[cell.id] = &cell;
        for (const BootResult& boot : run.boots)
            if (cells_.count(boot.cell) != 0)
                add(boot);
    }

    std::vector<FindingComparison> judge(const RunResult& run,
                                         const std::vector<BuildComparison>& builds) {
        std::vector<FindingComparison> all;
        for (const Cell& cell : run.matrix.cells) {
            const bool same_image =
                std::any_of(builds.begin(), builds.end(), [&](const BuildComparison& build) {
                    return build.key == cell.build() && build.same_image;
                });
            for (Sightings& sightings : by_cell_[cell.id]) {
                judge(sightings, cell, same_image);
                all.push_back(std::move(sightings.comparison));
            }
        }
        return all;
    }

  private:
    void add(const BootResult& boot) {
        const Cell& cell = *cells_.at(boot.cell);
        CellBoots& boots = boots_[boot.cell];
        ++boots.booted.of(boot.kernel);
        const bool completed = std::holds_alternative<Completed>(boot.outcome);
        boots.completed.of(boot.kernel) |= completed;
        std::set<Fault> seen; // a fault counts once a boot
        for (const Finding& finding : boot.findings) {
            const Fault fault{finding.klass, finding.title};
            if (!seen.insert(fault).second)
                continue;
            if (boot.kernel == Kernel::baseline)
                baseline_cells_[{cell.axes.arch, fault}].insert(cell.id);
            add(boot, cell, finding, completed);
        }
    }

    void add(const BootResult& boot, const Cell& cell, const Finding& finding, bool completed) {
        std::vector<Sightings>& all = by_cell_[cell.id];
        const auto [place, fresh] =
            places_.try_emplace({cell.id, finding.klass, finding.title}, all.size());
        if (fresh)
            all.emplace_back();
        Sightings& sightings = all[place->second];
        FindingComparison& comparison = sightings.comparison;
        const bool first_of_patched =
            boot.kernel == Kernel::patched && comparison.boots.patched == 0;
        if (fresh || first_of_patched) {
            comparison.cell = cell.id;
            comparison.example = finding;
            comparison.example_kernel = boot.kernel;
            comparison.example_boot = boot.id;
            comparison.console = boot.console;
            comparison.ended_boot = !completed;
        }
        ++comparison.boots.of(boot.kernel);
        if (boot.kernel == Kernel::patched)
            sightings.only_harmless_on_patched &= is_stall(finding) &&
                                                  boot.machine.accel == Accel::tcg &&
                                                  (completed || is_excused(boot, cell.axes));
    }

    void judge(Sightings& sightings, const Cell& cell, bool same_image) {
        FindingComparison& comparison = sightings.comparison;
        const CellBoots& boots = boots_.at(cell.id);
        comparison.of = boots.booted;
        if (comparison.boots.patched == 0) {
            const bool patched_ran = boots.completed.patched;
            comparison.verdict = patched_ran ? FindingVerdict::gone : FindingVerdict::not_compared;
            if (!patched_ran)
                comparison.why = "patched completed no boot here";
            return;
        }
        if (comparison.boots.baseline != 0) {
            comparison.verdict = FindingVerdict::on_both;
            return;
        }
        const auto elsewhere = baseline_cells_.find(
            {cell.axes.arch, Fault{comparison.example.klass, comparison.example.title}});
        if (elsewhere != baseline_cells_.end()) {
            comparison.verdict = FindingVerdict::on_both;
            comparison.why = fmt::format("baseline shows it in {}", *elsewhere->second.begin());
        } else if (sightings.only_harmless_on_patched) {
            comparison.verdict = FindingVerdict::no_verdict;
            comparison.why = "a stall under emulation says nothing of the kernel";
        } else if (same_image) {
            comparison.verdict = FindingVerdict::no_verdict;
            comparison.why = "baseline is the same kernel image, so this is chance";
        } else if (!boots.completed.baseline) {
            comparison.verdict = FindingVerdict::not_compared;
            comparison.why = "baseline completed no boot here";
        } else {
            comparison.verdict = FindingVerdict::blamed;
        }
    }

    std::map<std::string, const Cell*> cells_;
    std::map<std::string, CellBoots> boots_;
    std::map<std::string, std::vector<Sightings>> by_cell_;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_;
    std::map<std::pair<Arch, Fault>, std::set<std::string>> baseline_cells_;
};

} // namespace

std::string_view to_string(FindingVerdict verdict) {
    switch (verdict) {
    case FindingVerdict::blamed:
        return "blamed";
    case FindingVerdict::on_both:
        return "on both";
    case FindingVerdict::gone:
        return "gone";
    case FindingVerdict::no_verdict:
        return "no verdict";
    case FindingVerdict::not_compared:
        return "not compared";
    }
    return "unknown";
}

std::vector<FindingComparison> compare_findings(const RunResult& run,
                                                const std::vector<BuildComparison>& builds) {
    return Gathering(run).judge(run, builds);
}

} // namespace kmatrix

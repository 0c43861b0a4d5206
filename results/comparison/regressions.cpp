// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/regressions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

class Search {
  public:
    Search(const RunResult& run, const Comparison& comparison)
        : comparison_(comparison), gate_(run.matrix.gate) {
        for (const BootResult& boot : run.boots)
            boots_[boot.id] = &boot;
        noise_ = run.info.noise;
    }

    std::vector<Regression> all() {
        builds();
        boots();
        splats();
        tests();
        // No kernel is slower than itself.
        if (!noise_)
            latency();
        for (Regression& regression : broken_between(comparison_.steps))
            found_.push_back(std::move(regression));
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Regression& a, const Regression& b) {
                             return std::tuple(!a.gates, a.lane) < std::tuple(!b.gates, b.lane);
                         });
        return std::move(found_);
    }

  private:
    void builds() {
        for (const BuildComparison& build : comparison_.builds) {
            const std::string cells = join(build.cells, ", ");
            const BuildSide& patched = build.side.patched;
            if (build.verdict == BuildVerdict::regressed) {
                std::vector<std::string> lines = split(patched.error, '\n');
                found_.push_back(
                    {Lane::build, cells,
                     fmt::format("the patched kernel does not build ({})", name(build.key)),
                     lines.front(), std::move(lines), gate_.build, patched.log, patched.command});
            }
            for (const Warning& warning : build.new_warnings)
                found_.push_back({Lane::warning,
                                  cells,
                                  fmt::format("a new compiler warning ({})", name(build.key)),
                                  text(warning),
                                  {},
                                  gate_.warnings,
                                  patched.log,
                                  patched.command});
        }
    }

    void boots() {
        for (const BootComparison& boots : comparison_.boots) {
            if (boots.verdict != BootVerdict::regressed)
                continue;
            const BootTally& patched = boots.side.patched;
            const auto failure =
                std::find_if(patched.failures.begin(), patched.failures.end(),
                             [](const BootFailure& other) { return !other.excused; });
            for (const BootFailure& other : patched.failures)
                failed_boots_.insert(other.boot);
            const statistics::Rate rate = patched.failing();
            Regression regression{
                Lane::boot,       boots.cell,         "the patched kernel " + failure->what,
                failure->line,    lines_of(*failure), gate_.boot,
                failure->console, failure->command};
            if (boots.benchmark)
                regression.what += " while it ran the benchmark " + *boots.benchmark;
            if (patched.booted > 1)
                regression.what += fmt::format(" ({} of {} boots)", rate.hits, rate.trials);
            const std::size_t lost = boots.benchmark ? 0 : lost_tests(boots.cell);
            if (lost != 0) {
                regression.what += fmt::format(" ({} test{} that baseline passes did not report)",
                                               lost, lost == 1 ? "" : "s");
                regression.gates |= gate_.tests;
            }
            found_.push_back(std::move(regression));
        }
    }

    // The splat's own lines, else the console's last ones.
    std::vector<std::string> lines_of(const BootFailure& failure) const {
        const auto boot = boots_.find(failure.boot);
        if (boot != boots_.end() && !boot->second->findings.empty())
            return boot->second->findings.front().lines;
        return split(failure.console_tail, '\n');
    }

    std::size_t lost_tests(const std::string& cell) const {
        return static_cast<std::size_t>(std::count_if(
            comparison_.tests.begin(), comparison_.tests.end(), [&](const TestComparison& test) {
                return test.cell == cell && test.counted && test.verdict == TestVerdict::missing &&
                       is_worse(test);
            }));
    }

    void splats() {
        for (const FindingComparison& finding : comparison_.findings) {
            if (finding.verdict != FindingVerdict::blamed)
                continue;
            // It ended a boot that is a regression already.
            if (finding.ended_boot && failed_boots_.count(finding.example_boot) != 0)
                continue;
            const auto boot = boots_.find(finding.example_boot);
            found_.push_back(
                {Lane::splat, finding.cell,
                 fmt::format("the patched kernel's console shows a splat ({}) in {} of {} boots",
                             finding.example.klass, finding.boots.patched, finding.of.patched),
                 finding.example.title, finding.example.lines, gate_.splat, finding.console,
                 boot == boots_.end() ? std::string() : boot->second->command});
        }
    }

    void tests() {
        // By cell and program: what is missing of one program is one regression.
        std::map<std::tuple<std::string, std::string, std::string, Kernel>, std::size_t> missing;
        for (const TestComparison& test : comparison_.tests) {
            if (!test.counted)
                continue;
            if (test.verdict == TestVerdict::regressed) {
                add_test(test, name(test) + " fails");
                continue;
            }
            if (!is_worse(test) || failed_boots_.count(test.side.patched.boot) != 0)
                continue;
            const auto [place, fresh] = missing.try_emplace(
                {test.cell, test.target, test.test, test.origin}, found_.size());
            if (fresh)
                add_test(test, name(test) + " is missing");
            else
                found_[place->second].more.push_back(name(test) + " is missing");
        }
        for (const auto& [program, place] : missing)
            if (const std::size_t others = found_[place].more.size(); others != 0)
                found_[place].what += fmt::format(", and {} more of that program", others);
    }

    void add_test(const TestComparison& test, std::string what) {
        if (test.origin == Kernel::baseline)
            what += ", in its form without the series";
        if (test.earlier)
            what += " (" + earlier_text(test) + ")";
        const auto boot = boots_.find(test.side.patched.boot);
        const BootResult* at = boot == boots_.end() ? nullptr : boot->second;
        found_.push_back({Lane::test, test.cell, std::move(what), test.why,
                          test.verdict == TestVerdict::missing ? std::vector<std::string>()
                                                               : test.side.patched.lines,
                          gate_.tests, at == nullptr ? std::filesystem::path() : at->transcript,
                          at == nullptr ? std::string() : at->command});
    }

    void latency() {
        for (const LatencyComparison& latency : comparison_.latency)
            if (latency.verdict == LatencyVerdict::slower)
                found_.push_back({Lane::latency,
                                  latency.cell,
                                  fmt::format("{} is slower", latency.benchmark),
                                  sentence(latency),
                                  latency.notes,
                                  latency.emulated ? gate_.latency_emulated : gate_.latency,
                                  {},
                                  {}});
    }

    const Comparison& comparison_;
    const Gate& gate_;
    bool noise_ = false;
    std::map<std::string, const BootResult*> boots_;
    std::set<std::string> failed_boots_; // of boot regressions
    std::vector<Regression> found_;
};

} // namespace

std::vector<Regression> find_regressions(const RunResult& run, const Comparison& comparison) {
    return Search(run, comparison).all();
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/runs_verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

constexpr std::size_t most_named = 4;

// "1 test regressed", "2 tests regressed"; empty of none.
void add(std::vector<std::string>& parts, std::size_t count, const std::string& singular,
         const std::string& plural) {
    if (count != 0)
        parts.push_back(fmt::format("{} {}", count, count == 1 ? singular : plural));
}

template <class T, class Is>
std::size_t count_if(const std::vector<T>& all, Is is) {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is));
}

std::string rest_of(const RunsComparison& runs) {
    std::vector<std::string> parts;
    const auto builds = [&](BuildVerdict verdict) {
        return count_if(runs.builds, [=](const auto& build) { return build.verdict == verdict; });
    };
    const auto boots = [&](BootVerdict verdict) {
        return count_if(runs.boots, [=](const auto& boot) { return boot.verdict == verdict; });
    };
    const auto tests = [&](TestVerdict verdict) {
        return count_if(runs.tests, [=](const TestChange& test) {
            return test.counted && test.verdict == verdict && test.differs();
        });
    };
    const auto findings = [&](FindingVerdict verdict) {
        return count_if(runs.findings, [=](const FindingChange& finding) {
            return finding.verdict == verdict && !finding.on_own_baseline;
        });
    };
    std::size_t warnings = 0;
    std::size_t warnings_gone = 0;
    for (const BuildChange& build : runs.builds) {
        warnings += build.new_warnings.size();
        warnings_gone += build.gone_warnings.size();
    }
    add(parts, builds(BuildVerdict::regressed), "build broke", "builds broke");
    add(parts, boots(BootVerdict::regressed), "kind of boot regressed", "kinds of boot regressed");
    add(parts, findings(FindingVerdict::blamed), "splat is new", "splats are new");
    add(parts, tests(TestVerdict::regressed), "test regressed", "tests regressed");
    add(parts, tests(TestVerdict::missing), "test is missing", "tests are missing");
    add(parts, warnings, "compiler warning is new", "compiler warnings are new");
    if (parts.empty())
        parts.emplace_back("nothing regressed");
    add(parts, builds(BuildVerdict::fixed), "build is mended", "builds are mended");
    add(parts, boots(BootVerdict::fixed), "kind of boot is mended", "kinds of boot are mended");
    add(parts, findings(FindingVerdict::gone), "splat is gone", "splats are gone");
    add(parts, tests(TestVerdict::fixed), "test is fixed", "tests are fixed");
    add(parts, tests(TestVerdict::appeared), "test is new", "tests are new");
    add(parts, tests(TestVerdict::flaky), "test is flaky", "tests are flaky");
    add(parts, warnings_gone, "compiler warning is gone", "compiler warnings are gone");
    return join(parts, ", ");
}

// Each run's own figure stands in for the direct one where that was refused.
std::string latency_of(const LatencyChange& change) {
    if (change.direct && change.direct->verdict == LatencyVerdict::same_image)
        return fmt::format("{} measured the same image twice in {}", change.benchmark, change.cell);
    if (change.direct)
        return fmt::format("{} is {} in {}", change.benchmark, word(*change.direct), change.cell);
    if (!change.own.a.ratio || !change.own.b.ratio)
        return {};
    return fmt::format("{} is {} against its own baseline in A and {} in B ({}; not compared "
                       "directly)",
                       change.benchmark, word(change.own.a), word(change.own.b), change.cell);
}

} // namespace

std::string_view word(FindingVerdict verdict) {
    switch (verdict) {
    case FindingVerdict::blamed:
        return "new";
    case FindingVerdict::on_both:
        return "in both";
    case FindingVerdict::gone:
        return "gone";
    case FindingVerdict::no_verdict:
        return "no verdict";
    case FindingVerdict::not_compared:
        return "not compared";
    }
    return "unknown";
}

std::string word(const LatencyComparison& latency) {
    switch (latency.verdict) {
    case LatencyVerdict::faster:
    case LatencyVerdict::slower:
        return speed_text(*latency.ratio);
    case LatencyVerdict::equivalent:
        return fmt::format("the same within {:.3g} %", 100 * latency.margin);
    case LatencyVerdict::changed_but_small:
        return speed_text(*latency.ratio) + ", within the margin";
    case LatencyVerdict::same_image:
        return "the same image, and any ratio noise";
    case LatencyVerdict::inconclusive:
    case LatencyVerdict::refused:
    case LatencyVerdict::not_measured:
        return std::string(to_string(latency.verdict));
    }
    return {};
}

std::string find_verdict(const RunsComparison& runs) {
    std::vector<std::string> parts{rest_of(runs)};
    std::size_t more = 0;
    for (const LatencyChange& change : runs.latency) {
        std::string text = latency_of(change);
        if (!text.empty() && parts.size() <= most_named)
            parts.push_back(std::move(text));
        else
            more += text.empty() ? 0 : 1;
    }
    if (more != 0)
        parts.push_back(fmt::format("and {} more latency comparisons", more));
    return fmt::format("B against A: {}{}.", join(parts, "; "),
                       runs.emulated && !runs.latency.empty() ? ", under emulation" : "");
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/runs_words.h"

#include <fmt/format.h>

#include "results/comparison/latency_text.h"
#include "results/comparison/runs_verdict.h"

namespace kmatrix {

namespace {

std::string state_text(const BuildSide& side) {
    switch (side.state) {
    case BuildState::not_run:
        return "was not built";
    case BuildState::built:
        return "builds";
    case BuildState::broken:
        return "does not build: " + side.error.substr(0, side.error.find('\n'));
    }
    return {};
}

} // namespace

std::string run_words(const RunInfo& info) {
    return fmt::format("v{} of \"{}\", run {}, {}; baseline Linux {} ({})", info.series.version,
                       info.series.subject, info.id, info.started, info.baseline_describe,
                       info.baseline_commit.substr(0, 12));
}

std::string build_words(const BuildChange& build) {
    if (build.same_image)
        return "both patched kernels are the same image";
    if (build.verdict == BuildVerdict::builds)
        return "both patched kernels build";
    return fmt::format("{}: A's patched kernel {}; B's {}", to_string(build.verdict),
                       state_text(build.patched.a), state_text(build.patched.b));
}

std::string boot_in_its_run(const BootFailure& failure) {
    return failure.boot.starts_with("A:") ? failure.boot.substr(2) : failure.boot;
}

std::string finding_words(const FindingChange& finding) {
    return fmt::format("{}: {} ({} of {} boots in A, {} of {} in B){}", word(finding.verdict),
                       finding.example.title, finding.boots.a, finding.of.a, finding.boots.b,
                       finding.of.b,
                       finding.on_own_baseline ? fmt::format("; {}'s baseline shows it too",
                                                             finding.boots.b != 0 ? "B" : "A")
                                               : std::string());
}

std::string own_words(const TestChange& test) {
    const auto one = [](const std::optional<TestVerdict>& verdict) {
        return verdict ? std::string(to_string(*verdict)) : std::string("not there");
    };
    return fmt::format("{} in A, {} in B", one(test.own.a), one(test.own.b));
}

std::string line_of(const TestChange& test) {
    if (test.verdict == TestVerdict::appeared)
        return {};
    const std::string& in_b = test.patched.b.line;
    return test.verdict == TestVerdict::fixed || in_b.empty() ? test.patched.a.line : in_b;
}

std::string ratio_words(const LatencyComparison& latency) {
    if (!latency.ratio)
        return fmt::format("{}: {}", to_string(latency.verdict), latency.why);
    std::string text = "ratio " + significant_text(*latency.ratio);
    if (latency.test)
        text +=
            fmt::format(", 95 % interval {} to {}", significant_text(latency.test->ratio_95.low),
                        significant_text(latency.test->ratio_95.high));
    if (latency.p_holm)
        text += *latency.p_holm < 0.0001 ? ", p below 0.0001"
                                         : fmt::format(", p {:.2g}", *latency.p_holm);
    text += ": " + word(latency);
    // The rest of its reasons names baseline and patched, which are others here.
    if (latency.verdict == LatencyVerdict::inconclusive && !latency.p_holm)
        text += fmt::format(", for want of boots ({} and {})", latency.side.baseline.boots.size(),
                            latency.side.patched.boots.size());
    return text + (latency.emulated ? ", emulated" : "");
}

TestsAlike count_alike(const RunsComparison& runs, const std::string& cell) {
    TestsAlike count;
    for (const TestChange& test : runs.tests)
        if (test.cell == cell && test.counted)
            ++(test.differs()                              ? count.differ
               : test.verdict == TestVerdict::not_compared ? count.not_compared
                                                           : count.alike);
    return count;
}

std::string alike_words(const TestsAlike& count) {
    return fmt::format(
        "{} alike{}", count.alike,
        count.not_compared == 0 ? "" : fmt::format(", {} not compared", count.not_compared));
}

} // namespace kmatrix

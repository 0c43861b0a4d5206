// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/builds.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

const BuildResult* find_build(const RunResult& run, const BuildKey& key, Kernel kernel) {
    const auto found =
        std::find_if(run.builds.begin(), run.builds.end(), [&](const BuildResult& build) {
            return build.key == key && build.kernel == kernel;
        });
    return found == run.builds.end() ? nullptr : &*found;
}

BuildSide side_of(const BuildResult* build) {
    if (build == nullptr)
        return {};
    return {build->ok ? BuildState::built : BuildState::broken, build->error, build->image_sha256,
            build->log, build->command};
}

BuildVerdict judge(BuildState baseline, BuildState patched) {
    if (baseline == BuildState::not_run || patched == BuildState::not_run)
        return BuildVerdict::not_compared;
    if (baseline == BuildState::broken)
        return patched == BuildState::broken ? BuildVerdict::broken_on_both : BuildVerdict::fixed;
    return patched == BuildState::broken ? BuildVerdict::regressed : BuildVerdict::builds;
}

std::vector<Warning> new_warnings(const BuildResult& baseline, const BuildResult& patched) {
    std::set<std::tuple<std::string, std::string, std::string>> known;
    for (const Warning& warning : baseline.warnings)
        known.insert({warning.file, warning.option, warning.message});
    std::vector<Warning> fresh;
    for (const Warning& warning : patched.warnings)
        if (known.insert({warning.file, warning.option, warning.message}).second)
            fresh.push_back(warning);
    return fresh;
}

} // namespace

std::string_view to_string(BuildVerdict verdict) {
    switch (verdict) {
    case BuildVerdict::builds:
        return "builds";
    case BuildVerdict::regressed:
        return "regressed";
    case BuildVerdict::fixed:
        return "fixed";
    case BuildVerdict::broken_on_both:
        return "broken on both";
    case BuildVerdict::not_compared:
        return "not compared";
    }
    return "unknown";
}

std::vector<BuildComparison> compare_builds(const RunResult& run) {
    std::vector<BuildComparison> comparisons;
    for (const BuildKey& key : plan(run.matrix).builds) {
        BuildComparison comparison;
        comparison.key = key;
        for (const Cell& cell : run.matrix.cells)
            if (cell.build() == key)
                comparison.cells.push_back(cell.id);
        const BuildResult* baseline = find_build(run, key, Kernel::baseline);
        const BuildResult* patched = find_build(run, key, Kernel::patched);
        comparison.side = {side_of(baseline), side_of(patched)};
        comparison.verdict = judge(comparison.side.baseline.state, comparison.side.patched.state);
        if (comparison.verdict == BuildVerdict::builds)
            comparison.same_image =
                !baseline->image_sha256.empty() && baseline->image_sha256 == patched->image_sha256;
        if (baseline != nullptr && baseline->ok && patched != nullptr)
            comparison.new_warnings = new_warnings(*baseline, *patched);
        comparisons.push_back(std::move(comparison));
    }
    return comparisons;
}

std::string name(const BuildKey& key) {
    return fmt::format("{} {} {}", to_string(key.arch), config_name(key.config), key.compiler);
}

std::string text(const Warning& warning) {
    return fmt::format("{}: {}{}", warning.file, warning.message,
                       warning.option.empty() ? "" : " [" + warning.option + "]");
}

std::string sentence(const BuildComparison& build) {
    switch (build.verdict) {
    case BuildVerdict::builds:
        if (build.same_image)
            return "both build, to the same image: the series does not change this kernel";
        if (build.new_warnings.empty())
            return "both build";
        return fmt::format("both build; {} new compiler warning{}", build.new_warnings.size(),
                           build.new_warnings.size() == 1 ? "" : "s");
    case BuildVerdict::regressed:
        return "patched does not build: " + first_line(build.side.patched.error);
    case BuildVerdict::fixed:
        return "patched builds, baseline does not: " + first_line(build.side.baseline.error);
    case BuildVerdict::broken_on_both:
        return "neither builds: " + first_line(build.side.baseline.error);
    case BuildVerdict::not_compared:
        if (build.side.baseline.state == BuildState::broken)
            return "baseline does not build: " + first_line(build.side.baseline.error);
        if (build.side.patched.state == BuildState::broken)
            return "patched does not build, and baseline was not built: " +
                   first_line(build.side.patched.error);
        return "not built on both sides";
    }
    return {};
}

} // namespace kmatrix

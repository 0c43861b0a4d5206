// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/cell_json.h"

#include <nlohmann/json.hpp>

#include "results/json.h"
#include "results/reports/cell_value.h"
#include "results/reports/comparison_values.h"

namespace kmatrix {
namespace {

using nlohmann::json;

json builds_json(const Comparison& comparison, const Cell& cell) {
    json builds = json::array();
    for (const BuildComparison& build : comparison.builds) {
        if (build.key != cell.build())
            continue;
        builds.push_back({{"verdict", to_string(build.verdict)},
                          {"same_image", build.same_image},
                          {"baseline_sha256", build.side.baseline.image_sha256},
                          {"patched_sha256", build.side.patched.image_sha256},
                          {"error", build.side.patched.error},
                          {"new_warnings", value_of(build.new_warnings)}});
    }
    return builds;
}

json boots_json(const Comparison& comparison, const Cell& cell) {
    json all = json::array();
    for (const BootComparison& boots : comparison.boots) {
        if (boots.cell != cell.id)
            continue;
        json entry = {{"work", work(boots)},
                      {"verdict", to_string(boots.verdict)},
                      {"why", boots.why},
                      {"emulated", boots.emulated}};
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            entry[std::string(to_string(kernel))] = value_of(boots.side.of(kernel));
        all.push_back(std::move(entry));
    }
    return all;
}

json findings_json(const Comparison& comparison, const Cell& cell) {
    json all = json::array();
    for (const FindingComparison& finding : comparison.findings)
        if (finding.cell == cell.id)
            all.push_back({{"verdict", to_string(finding.verdict)},
                           {"class", finding.example.klass},
                           {"title", finding.example.title},
                           {"function", finding.example.function},
                           {"baseline_boots", finding.boots.baseline},
                           {"patched_boots", finding.boots.patched},
                           {"console", finding.console.string()},
                           {"line", finding.example.line},
                           {"why", finding.why}});
    return all;
}

json tests_json(const Comparison& comparison, const Cell& cell) {
    json all = json::array();
    for (const TestComparison& test : comparison.tests) {
        if (test.cell != cell.id)
            continue;
        json entry = {{"name", name(test)},
                      {"verdict", to_string(test.verdict)},
                      {"counted", test.counted},
                      {"why", whole_why(test)}};
        if (test.earlier)
            entry["earlier_on_unpatched"] = {{"failed", test.earlier->hits},
                                             {"runs", test.earlier->trials}};
        if (test.p_against_earlier)
            entry["earlier_on_unpatched"]["p"] = *test.p_against_earlier;
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            entry[std::string(to_string(kernel))] = value_of(test.side.of(kernel));
        all.push_back(std::move(entry));
    }
    return all;
}

json latency_json(const Comparison& comparison, const Cell& cell) {
    json all = json::array();
    for (const LatencyComparison& latency : comparison.latency) {
        if (latency.cell != cell.id)
            continue;
        json entry = value_of(latency);
        entry["benchmark"] = latency.benchmark;
        all.push_back(std::move(entry));
    }
    return all;
}

} // namespace

json cell_value(const Comparison& comparison, const Cell& cell) {
    return {{"cell", cell.id},
            {"arch", to_string(cell.axes.arch)},
            {"config", cell.axes.config},
            {"vcpus", cell.axes.vcpus},
            {"compiler", cell.axes.compiler},
            {"cmdline", cell.axes.cmdline},
            {"builds", builds_json(comparison, cell)},
            {"boots", boots_json(comparison, cell)},
            {"findings", findings_json(comparison, cell)},
            {"tests", tests_json(comparison, cell)},
            {"latency", latency_json(comparison, cell)}};
}

std::string cell_json(const Comparison& comparison, const Cell& cell) {
    json out = cell_value(comparison, cell);
    out["format_version"] = format_version;
    return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix

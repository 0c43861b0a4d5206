// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/runs_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "results/comparison/runs_verdict.h"
#include "results/reports/comparison_values.h"
#include "results/reports/runs_words.h"

namespace kmatrix {

namespace {

using nlohmann::json;

json compared_run_value(const RunInfo& info) {
    return {
        {"id", info.id},
        {"started", info.started},
        {"kmatrix_version", info.kmatrix_version},
        {"series", {{"subject", info.series.subject}, {"version", info.series.version}}},
        {"baseline", {{"commit", info.baseline_commit}, {"version", info.baseline_describe}}},
        {"patched", {{"tree", info.patched_tree}}},
    };
}

json build_side_value(const BuildSide& side) {
    return {{"state", side.state == BuildState::built    ? "built"
                      : side.state == BuildState::broken ? "broken"
                                                         : "not built"},
            {"error", side.error},
            {"image_sha256", side.image_sha256}};
}

json build_change_value(const BuildChange& build) {
    return {{"build", name(build.key)},
            {"verdict", to_string(build.verdict)},
            {"same_image", build.same_image},
            {"a", build_side_value(build.patched.a)},
            {"b", build_side_value(build.patched.b)},
            {"new_warnings", value_of(build.new_warnings)},
            {"gone_warnings", value_of(build.gone_warnings)}};
}

json boot_change_value(const BootChange& boots) {
    json value = {{"work", boots.work}, {"verdict", to_string(boots.verdict)}};
    for (const auto& [run, tally] :
         {std::pair{"a", &boots.patched.a}, std::pair{"b", &boots.patched.b}}) {
        json failures = json::array();
        for (const BootFailure& failure : tally->failures)
            failures.push_back({{"boot", boot_in_its_run(failure)},
                                {"what", failure.what},
                                {"console", failure.console.string()}});
        value[run] = value_of(*tally);
        value[run]["failures"] = std::move(failures);
    }
    return value;
}

json finding_change_value(const FindingChange& finding) {
    return {{"verdict", word(finding.verdict)},
            {"class", finding.example.klass},
            {"title", finding.example.title},
            {"function", finding.example.function},
            {"a", {{"boots", finding.boots.a}, {"of", finding.of.a}}},
            {"b", {{"boots", finding.boots.b}, {"of", finding.of.b}}},
            {"on_own_baseline", finding.on_own_baseline},
            {"lines", finding.example.lines},
            {"console", finding.console.string()},
            {"line", finding.example.line}};
}

json test_change_value(const TestChange& test) {
    json value = {{"name", test.name},
                  {"verdict", to_string(test.verdict)},
                  {"counted", test.counted},
                  {"differs", test.differs()},
                  {"line", line_of(test)},
                  {"a", value_of(test.patched.a)},
                  {"b", value_of(test.patched.b)}};
    for (const auto& [run, own] : {std::pair{"a", &test.own.a}, std::pair{"b", &test.own.b}})
        if (*own)
            value[run]["against_own_baseline"] = to_string(**own);
    return value;
}

// Two kernels of one kind, of which neither is a baseline to the other.
json direct_value(const LatencyComparison& latency) {
    json value = value_of(latency, "a", "b");
    value["sentence"] = ratio_words(latency);
    return value;
}

json latency_change_value(const LatencyChange& change) {
    json value = {{"benchmark", change.benchmark},
                  {"a", value_of(change.own.a)},
                  {"b", value_of(change.own.b)},
                  {"refused", change.refused}};
    if (change.baselines)
        value["baselines"] = direct_value(*change.baselines);
    if (change.direct)
        value["patched"] = direct_value(*change.direct);
    return value;
}

template <class Change, class Value>
json of_cell(const std::vector<Change>& changes, const std::string& cell, Value value) {
    json all = json::array();
    for (const Change& change : changes)
        if (change.cell == cell)
            all.push_back(value(change));
    return all;
}

json compared_cell_value(const RunsComparison& runs, const std::string& cell) {
    json builds = json::array();
    for (const BuildChange& build : runs.builds)
        if (std::find(build.cells.begin(), build.cells.end(), cell) != build.cells.end())
            builds.push_back(build_change_value(build));
    return {{"cell", cell},
            {"builds", std::move(builds)},
            {"boots", of_cell(runs.boots, cell, boot_change_value)},
            {"findings", of_cell(runs.findings, cell, finding_change_value)},
            {"tests", of_cell(runs.tests, cell, test_change_value)},
            {"latency", of_cell(runs.latency, cell, latency_change_value)}};
}

} // namespace

std::string runs_json(const RunsComparison& runs) {
    json cells = json::array();
    for (const std::string& cell : runs.cells)
        cells.push_back(compared_cell_value(runs, cell));
    const json out = {
        {"format", "kmatrix-compare"},
        {"format_version", runs_format_version},
        {"verdict", runs.verdict},
        {"gating", runs.gating},
        {"exit_status", exit_status(runs)},
        {"emulated", runs.emulated},
        {"a", compared_run_value(runs.run.a)},
        {"b", compared_run_value(runs.run.b)},
        {"notes", runs.notes},
        {"alone", {{"a", runs.alone.a}, {"b", runs.alone.b}}},
        {"cells", std::move(cells)},
    };
    return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix

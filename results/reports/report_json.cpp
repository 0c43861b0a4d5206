// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/report_json.h"

#include <nlohmann/json.hpp>

#include "results/reports/cell_value.h"
#include "results/reports/patchset.h"

namespace kmatrix {
namespace {

using nlohmann::json;

json run_value(const RunInfo& info) {
    return {{"id", info.id},
            {"started", info.started},
            {"kmatrix_version", info.kmatrix_version},
            {"each_patch", to_string(info.each_patch)},
            {"matrix_file", info.matrix_file},
            {"only", info.only},
            {"tree", info.tree}};
}

json series_value(const SeriesInfo& series) {
    json patches = json::array();
    for (std::size_t i = 0; i < series.patches.size(); ++i) {
        json patch = {{"subject", series.patches[i]}};
        if (i < series.letters.size()) {
            patch["message_id"] = series.letters[i].message_id;
            patch["files"] = series.letters[i].files;
            patch["sha256"] = series.letters[i].sha256;
        }
        patches.push_back(std::move(patch));
    }
    return {{"subject", series.subject},     {"version", series.version},
            {"author", series.author},       {"message_id", series.message_id},
            {"change_id", series.change_id}, {"source", series.source},
            {"patches", std::move(patches)}, {"patchset_hash", patchset_hash(series)},
            {"notes", series.notes}};
}

json machine_value(const Machine& machine) {
    return {{"host_cpu", machine.host_cpu},
            {"host_cpus", machine.host_cpus},
            {"qemu_version", machine.qemu_version},
            {"libvirt_version", machine.libvirt_version},
            {"accel", to_string(machine.accel)}};
}

json regressions_value(const Comparison& comparison) {
    json all = json::array();
    for (const Regression& regression : comparison.regressions)
        all.push_back({{"lane", to_string(regression.lane)},
                       {"cell", regression.cell},
                       {"what", regression.what},
                       {"line", regression.line},
                       {"more", regression.more},
                       {"gates", regression.gates},
                       {"log", regression.log.string()},
                       {"command", regression.command},
                       {"patch", regression.patch}});
    return all;
}

json steps_value(const Comparison& comparison) {
    json all = json::array();
    for (const StepComparison& step : comparison.steps) {
        json trials = json::array();
        for (const StepTrial& trial : step.trials)
            trials.push_back({{"what", trial.what},
                              {"cells", trial.cells},
                              {"verdict", to_string(trial.verdict)},
                              {"why", trial.why}});
        all.push_back({{"patches", step.patches},
                       {"subject", step.subject},
                       {"verdict", to_string(step.verdict)},
                       {"trials", std::move(trials)}});
    }
    return all;
}

json earlier_version_value(const Known& known) {
    if (!known.earlier_version)
        return nullptr;
    const EarlierVersion& earlier = *known.earlier_version;
    return {{"version", earlier.version}, {"run", earlier.run},
            {"started", earlier.started}, {"directory", earlier.directory},
            {"verdict", earlier.verdict}, {"why", earlier.why},
            {"compare", earlier.command}, {"range_diff", earlier.range_diff},
            {"notes", earlier.notes},     {"no_range_diff", earlier.no_range_diff}};
}

json infrastructure_value(const RunResult& run) {
    json all = json::array();
    for (const auto& [what, error] : run.infrastructure)
        all.push_back({{"what", what}, {"error", error}});
    return all;
}

} // namespace

std::string report_json(const RunResult& run, const Comparison& comparison) {
    std::vector<std::string> notes = run.info.notes;
    notes.insert(notes.end(), comparison.notes.begin(), comparison.notes.end());
    json cells = json::array();
    for (const Cell& cell : run.matrix.cells)
        cells.push_back(cell_value(comparison, cell));
    const json out = {
        {"format", "kmatrix-report"},
        {"format_version", report_format_version},
        {"verdict", comparison.verdict},
        {"outcome", to_string(comparison.outcome)},
        {"exit_status", exit_status(comparison)},
        {"emulated", comparison.emulated},
        {"run", run_value(run.info)},
        {"series", series_value(run.info.series)},
        {"baseline",
         {{"commit", run.info.baseline_commit}, {"version", run.info.baseline_describe}}},
        {"patched", {{"tree", run.info.patched_tree}}},
        {"machine", machine_value(run.info.machine)},
        {"notes", notes},
        {"regressions", regressions_value(comparison)},
        {"steps", steps_value(comparison)},
        {"earlier_version", earlier_version_value(run.known)},
        {"infrastructure", infrastructure_value(run)},
        {"not_run", run.not_run},
        {"cells", std::move(cells)},
    };
    return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix

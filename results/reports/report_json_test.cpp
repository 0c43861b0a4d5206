// SPDX-License-Identifier: GPL-2.0-only
// report.json held against docs/report.schema.json by Python's jsonschema; the schema names every
// field that is written.
#include "results/reports/report_json.h"

#include <nlohmann/json.hpp>

#include "places.h"
#include "results/reports/cell_json.h"
#include "results/reports/example_runs.h"
#include "results/reports/golden.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {

using namespace example;
using nlohmann::json;

const std::filesystem::path schema =
    std::filesystem::path(KMATRIX_SOURCE_DIR) / "docs/report.schema.json";

std::string report_of(const RunResult& run) {
    return report_json(run, compare(run));
}

TEST(ReportJson, IsValidForEachKindOfRun) {
    expect_valid_json(report_of(good_run()), schema, true);
    expect_valid_json(report_of(mailed(bad_run())), schema, true);

    RunResult nothing = hand_built::run({hand_built::cell()});
    nothing.info = info();
    nothing.builds.clear();
    nothing.infrastructure = {{"build", "no space left"}};
    expect_valid_json(report_of(nothing), schema, true);

    RunResult panicked = good_run();
    panicked.boots[1].outcome = Panicked{"VFS: \x01 Unable"};
    panicked.boots[1].console_tail = "a\nb";
    hand_built::break_build(panicked, Kernel::patched, "mm/x.c:1:1: error");
    expect_valid_json(report_of(panicked), schema, true);
}

TEST(ReportJson, OfASeriesThatBreaksATest) {
    expect_golden(report_of(mailed(bad_run())), "regressed.json");
}

TEST(ReportJson, SaysWhatTheOtherReportsSay) {
    const RunResult run = mailed(bad_run());
    const Comparison comparison = compare(run);
    const json report = json::parse(report_json(run, comparison));
    EXPECT_EQ(report["verdict"], comparison.verdict);
    EXPECT_EQ(report["exit_status"], exit_status(comparison));
    EXPECT_EQ(report["regressions"].size(), comparison.regressions.size());
    json cell = json::parse(cell_json(comparison, run.matrix.cells[0]));
    cell.erase("format_version");
    EXPECT_EQ(report["cells"][0], cell);
}

} // namespace
} // namespace kmatrix

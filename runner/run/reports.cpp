// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/reports.h"

#include <cstdio>

#include "base/command.h"
#include "results/reports/cell_json.h"
#include "results/reports/html.h"
#include "results/reports/junit.h"
#include "results/reports/report_json.h"
#include "results/reports/summary.h"
#include "results/reports/text.h"
#include "runner/progress.h"
#include "runner/run/draw.h"

namespace kmatrix {

Result<Comparison> write_reports(const Store& store, const RunResult& run) {
    Comparison comparison = compare(run);
    for (const Cell& cell : run.matrix.cells)
        if (auto written = store.save_cell(cell.id, cell_json(comparison, cell)); !written)
            return tl::unexpected(std::move(written.error()));
    const std::string html = html_report(run, comparison, draw(pictures(run, comparison)));
    for (const auto& [name, text] :
         {std::pair{"junit.xml", junit_xml(run, comparison)},
          std::pair{"report.txt", text_report(run, comparison)}, std::pair{"report.html", html},
          std::pair{"report.json", report_json(run, comparison)}})
        if (auto written = store.save_report(name, text); !written)
            return tl::unexpected(std::move(written.error()));
    return comparison;
}

std::string terminal_summary(const RunResult& run, const Comparison& comparison,
                             const std::filesystem::path& directory, const std::string& time) {
    const ProgressStyle style = ProgressStyle::of(stdout);
    const std::string name = directory.string();
    SummaryOptions options;
    options.colour = style.colour;
    options.columns = static_cast<std::size_t>(style.columns);
    options.reports = {"report   " + name + "/report.txt, report.html",
                       "for a CI " + name + "/junit.xml, report.json",
                       "by mail  " + shell_text({"kmatrix", "reply", name})};
    if (!time.empty())
        options.reports.push_back("time     " + time);
    return summary(run, comparison, options);
}

} // namespace kmatrix

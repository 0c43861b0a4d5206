// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/reports.h"

#include "results/reports/cell_json.h"
#include "results/reports/html.h"
#include "results/reports/junit.h"
#include "results/reports/report_json.h"
#include "results/reports/text.h"
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

} // namespace kmatrix

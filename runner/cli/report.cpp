// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "results/reports/kcidb.h"
#include "results/reports/report_json.h"
#include "results/reports/text.h"
#include "runner/cli/verbs.h"
#include "runner/run/reports.h"

namespace kmatrix {
namespace {

struct ReportRequest {
    std::string directory;
    TextOptions text;
    bool json = false;
    bool kcidb = false;
    std::string origin = "kmatrix";
};

int render(const ReportRequest& request) {
    auto store = Store::open(request.directory, false);
    if (!store)
        return fail(store.error());
    auto run = store->load();
    if (!run)
        return fail(run.error());
    auto comparison = write_reports(*store, *run);
    if (!comparison)
        return fail(comparison.error());
    if (request.kcidb) {
        const std::string text = kcidb_json(*run, *comparison, request.origin);
        if (auto written = store->save_report("kcidb.json", text); !written)
            return fail(written.error());
        fmt::print("{}", text);
    } else if (request.json) {
        fmt::print("{}", report_json(*run, *comparison));
    } else {
        fmt::print("{}", text_report(*run, *comparison, request.text));
    }
    return exit_status(*comparison);
}

} // namespace

void add_report(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "report", "Compare and write the reports of a run again, without running anything");
    auto request = std::make_shared<ReportRequest>();
    verb->add_option("DIR", request->directory, "The run's directory")->required();
    verb->add_flag("--thread-layout", request->text.thread_layout,
                   "Also print the samples as run-proc-vs-map.sh --rawdata does: three columns, "
                   "each sorted on its own");
    CLI::Option* json = verb->add_flag("--json", request->json,
                                       "Print report.json instead (docs/report.schema.json)");
    CLI::Option* kcidb = verb->add_flag("--kcidb", request->kcidb,
                                        "Write kcidb.json, for KCIDB v5.3, and print it instead");
    json->excludes(kcidb);
    verb->add_option("--origin", request->origin, "The name that KCIDB knows you by")
        ->needs(kcidb)
        ->check(CLI::Validator(
            [](const std::string& origin) {
                return is_kcidb_origin(origin) ? std::string()
                                               : "origins are of lower-case letters, digits and _";
            },
            "ORIGIN"))
        ->capture_default_str();
    add_examples(*verb, "  kmatrix report kmatrix-runs/20260101-120000\n"
                        "  kmatrix report --thread-layout kmatrix-runs/20260101-120000\n"
                        "  kmatrix report --json DIR | jq -r .verdict\n"
                        "  kmatrix report --kcidb --origin my_ci DIR");
    verb->callback([=, &action] { action = [=] { return render(*request); }; });
}

} // namespace kmatrix

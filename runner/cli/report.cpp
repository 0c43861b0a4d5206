// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "results/reports/text.h"
#include "runner/cli/verbs.h"
#include "runner/run/reports.h"

namespace kmatrix {
namespace {

int render(const std::string& directory, const TextOptions& options) {
    auto store = Store::open(directory, false);
    if (!store)
        return fail(store.error());
    auto run = store->load();
    if (!run)
        return fail(run.error());
    auto comparison = write_reports(*store, *run);
    if (!comparison)
        return fail(comparison.error());
    fmt::print("{}", text_report(*run, *comparison, options));
    return exit_status(*comparison);
}

} // namespace

void add_report(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "report", "Compare and write the reports of a run again, without running anything");
    auto directory = std::make_shared<std::string>();
    auto thread = std::make_shared<bool>(false);
    verb->add_option("DIR", *directory, "The run's directory")->required();
    verb->add_flag("--thread-layout", *thread,
                   "Also print the samples as run-proc-vs-map.sh --rawdata does: three columns, "
                   "each sorted on its own");
    add_examples(*verb, "  kmatrix report kmatrix-runs/20260101-120000\n"
                        "  kmatrix report --thread-layout kmatrix-runs/20260101-120000");
    verb->callback([=, &action] { action = [=] { return render(*directory, {*thread}); }; });
}

} // namespace kmatrix

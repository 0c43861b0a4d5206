// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "results/bench_tables.h"
#include "results/comparison/runs.h"
#include "results/reports/runs_html.h"
#include "results/reports/runs_json.h"
#include "results/reports/runs_text.h"
#include "results/reports/versions_text.h"
#include "results/reports/wrap.h"
#include "results/store.h"
#include "runner/cli/verbs.h"
#include "runner/run/version_diff.h"
#include "runner/wait.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

struct CompareRequest {
    std::string a, b;
    std::string html; // the page's file; empty: none
    bool json = false;
};

Result<std::vector<BenchTable>> tables_of(const std::string& file) {
    return read_file(file).and_then(
        [&](const std::string& text) { return read_bench_tables(text, file); });
}

int show_tables(const std::string& a, const std::string& b) {
    const auto tables_a = tables_of(a);
    if (!tables_a)
        return fail(tables_a.error());
    const auto tables_b = tables_of(b);
    if (!tables_b)
        return fail(tables_b.error());
    const auto comparison = compare(*tables_a, *tables_b);
    if (!comparison)
        return fail(comparison.error());
    fmt::print("{}", text(*comparison, a, b));
    return 0;
}

// What changed between the patches themselves.
std::string patches_text(const TestedSeries& a, const TestedSeries& b) {
    const Cache cache(cache_directory());
    asio::io_context context(1);
    const VersionDiff diff = wait_for(context, version_diff(cache, a, b));
    std::string text;
    for (const std::string& note : diff.notes)
        text += wrapped("note  " + note, "      ");
    if (diff.text.empty())
        return text + wrapped("no git range-diff of the patches: " + diff.why_not, "  ");
    return text + "git range-diff of the patches, A's and B's:\n" +
           range_diff_text(diff.text, "  ");
}

int show_runs(const CompareRequest& request) {
    const auto run_a = load_run(request.a);
    if (!run_a)
        return fail(run_a.error());
    const auto run_b = load_run(request.b);
    if (!run_b)
        return fail(run_b.error());
    const auto runs = compare_runs(*run_a, *run_b);
    if (!runs)
        return fail(runs.error());
    if (!request.html.empty())
        if (auto written = write_file(request.html, runs_html(*runs)); !written)
            return fail(written.error());
    if (request.json) {
        fmt::print("{}", runs_json(*runs));
        return exit_status(*runs);
    }
    fmt::print("{}", runs_text(*runs));
    fmt::print("\n{}", patches_text({request.a, run_a->info}, {request.b, run_b->info}));
    return exit_status(*runs);
}

int show_comparison(const CompareRequest& request) {
    const bool a_is_run = std::filesystem::is_directory(request.a);
    const bool b_is_run = std::filesystem::is_directory(request.b);
    if (a_is_run != b_is_run)
        return fail(user_error(fmt::format("{} is a directory and {} is none: compare two runs' "
                                           "directories, or two tables of run-proc-vs-map.sh",
                                           a_is_run ? request.a : request.b,
                                           a_is_run ? request.b : request.a))
                        .value());
    if (!a_is_run && (request.json || !request.html.empty()))
        return fail(
            user_error("--json and --html are for two runs; of two tables there is text").value());
    return a_is_run ? show_runs(request) : show_tables(request.a, request.b);
}

} // namespace

void add_compare(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "compare", "Compare two runs, such as of v2 and v3 of a series, or two tables of "
                   "run-proc-vs-map.sh, raw or summaries");
    auto request = std::make_shared<CompareRequest>();
    verb->add_option("A", request->a, "The earlier run's directory, or the baseline's table")
        ->required();
    verb->add_option("B", request->b, "The later run's directory, or the patched kernel's table")
        ->required();
    verb->add_flag("--json", request->json,
                   "Of two runs: print JSON instead (docs/compare.schema.json)");
    verb->add_option("--html", request->html, "Of two runs: also write one HTML page")
        ->type_name("FILE");
    add_examples(*verb, "  kmatrix compare kmatrix-runs/v2 kmatrix-runs/v3\n"
                        "  kmatrix compare --html v3-against-v2.html kmatrix-runs/v2 "
                        "kmatrix-runs/v3\n"
                        "  kmatrix compare --json kmatrix-runs/v2 kmatrix-runs/v3 | jq .verdict\n"
                        "  kmatrix compare baseline.txt patched.txt\n"
                        "Two runs: also the git range-diff of their patches, where both are kept.\n"
                        "Exit status of two runs: 1 if B's patched kernel is worse than A's in "
                        "something that gates by B's matrix.");
    verb->callback([=, &action] { action = [=] { return show_comparison(*request); }; });
}

} // namespace kmatrix

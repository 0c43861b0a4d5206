// SPDX-License-Identifier: GPL-2.0-only
#include <ctime>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "runner/cli/verbs.h"
#include "runner/host.h"
#include "runner/run/run.h"

namespace kmatrix {
namespace {

std::filesystem::path new_directory() {
    return fmt::format("kmatrix-runs/{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

} // namespace

void add_run(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("run", "Build, boot, test and compare; write JUnit XML and a report");
    auto request = std::make_shared<RunRequest>();
    auto resume = std::make_shared<std::string>();
    auto out = std::make_shared<std::string>();
    auto matrix = std::make_shared<std::string>();
    auto budget_s = std::make_shared<double>(0);
    request->tree = ".";
    request->jobs = host_cpus();
    CLI::Option* matrix_option = verb->add_option("MATRIX", *matrix, "The matrix file");
    CLI::Option* series_option = verb->add_option(
        "--series", request->series,
        "What to test: a directory of patches, a patch or mbox, a git range or a branch");
    verb->add_option("--tree", request->tree, "The kernel's git tree")->capture_default_str();
    verb->add_option("--base", request->base,
                     "The revision of the tree that the series is applied to; by default HEAD");
    verb->add_option("--only", request->only, "Only cells with these axes: 'arch=arm64 vcpus=8'");
    verb->add_option(
        "--test", request->tests,
        "Only this test, as TARGET:TEST or TARGET, and no benchmark; may be given more than "
        "once");
    verb->add_option("--patches", request->patches, "Apply only the first so many of the series")
        ->check(CLI::PositiveNumber);
    verb->add_option("--out", *out,
                     "The run's directory; by default kmatrix-runs/ and the time of day");
    verb->add_option("--budget", *budget_s,
                     "Start nothing that would not be done, reports included, within this time "
                     "(90s, 80m, 2h)")
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}},
            CLI::AsNumberWithUnit::CASE_INSENSITIVE, "TIME"));
    verb->add_option("-j,--jobs", request->jobs, "Jobs of make")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    verb->add_flag("--clean-builds", request->clean_builds,
                   "Build patched kernels without the baseline's objects: slow, and the same");
    CLI::Option* resume_option =
        verb->add_option("--resume", *resume,
                         "Go on with the run in this directory: do only what "
                         "is missing");
    for (CLI::Option* option : {matrix_option, series_option})
        resume_option->excludes(option);
    add_examples(*verb,
                 "  kmatrix run matrix/smaps-rollup.toml --tree ~/linux --series v2-mbox\n"
                 "  kmatrix run matrix/quick.toml --tree ~/linux --series v6.12..topic\n"
                 "  kmatrix run matrix/thread.toml --series topic --only arch=arm64 --budget 80m\n"
                 "  kmatrix run --resume kmatrix-runs/20260101-120000");
    verb->callback([=, &action] {
        if (resume->empty() && (matrix->empty() || request->series.empty()))
            throw CLI::RequiredError(matrix->empty() ? "MATRIX (or --resume DIR)" : "--series");
        action = [=] {
            request->resume = !resume->empty();
            request->matrix_file = *matrix;
            request->directory = request->resume ? std::filesystem::path(*resume)
                                 : out->empty()  ? new_directory()
                                                 : std::filesystem::path(*out);
            if (*budget_s > 0)
                request->budget = std::chrono::seconds(static_cast<long>(*budget_s));
            return run(*request);
        };
    });
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cli/run_options.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "runner/host.h"

namespace kmatrix {
namespace {

std::filesystem::path new_directory() {
    return fmt::format("kmatrix-runs/{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

} // namespace

std::optional<std::chrono::seconds> RunOptions::budget() const {
    if (budget_s <= 0)
        return std::nullopt;
    return std::chrono::seconds(static_cast<long>(budget_s));
}

void RunOptions::complete() {
    request.matrix_file = matrix;
    if (!each_patch.empty())
        request.each_patch = each_patch == "boot" ? EachPatch::boot : EachPatch::build;
    if (!request.resume)
        request.directory = out.empty() ? new_directory() : std::filesystem::path(out);
    request.budget = budget();
}

void add_run_options(CLI::App& verb, RunOptions& options) {
    RunRequest& request = options.request;
    request.tree = ".";
    verb.add_option("MATRIX", options.matrix, "The matrix file");
    verb.add_option("--tree", request.tree, "The kernel's git tree")->capture_default_str();
    verb.add_option("--base", request.base,
                    "The revision of the tree that is the baseline; by default what the series was "
                    "made on, where that is found, or HEAD");
    verb.add_option("--out", options.out,
                    "The run's directory; by default kmatrix-runs/ and the time of day");
    add_work_options(verb, options);
}

void add_work_options(CLI::App& verb, RunOptions& options) {
    RunRequest& request = options.request;
    request.jobs = host_cpus();
    verb.add_option("--only", request.only, "Only cells with these axes: 'arch=arm64 vcpus=8'");
    verb.add_option("--budget", options.budget_s,
                    "Start nothing that would not be done, reports included, within this time "
                    "(90s, 80m, 2h)")
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}},
            CLI::AsNumberWithUnit::CASE_INSENSITIVE, "TIME"));
    verb.add_option("-j,--jobs", request.jobs, "Jobs of make")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    verb.add_flag("--clean-builds", request.clean_builds,
                  "Build patched kernels without the baseline's objects: slow, and the same");
}

} // namespace kmatrix

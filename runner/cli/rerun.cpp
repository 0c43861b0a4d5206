// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include "runner/cli/verbs.h"
#include "runner/host.h"
#include "runner/run/part.h"
#include "runner/run/run.h"

namespace kmatrix {
namespace {

int run_again(const std::string& directory, const Part& part, const std::string& out, int jobs) {
    auto request = part_of_run(directory, part);
    if (!request)
        return fail(request.error());
    request->directory = out;
    if (out.empty())
        request->directory = fresh_directory(directory, "rerun");
    request->jobs = jobs;
    return run(*request);
}

} // namespace

void add_rerun(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("rerun", "Run a part of a run again, as a run of its own");
    auto directory = std::make_shared<std::string>();
    auto part = std::make_shared<Part>();
    auto out = std::make_shared<std::string>();
    auto jobs = std::make_shared<int>(host_cpus());
    verb->add_option("DIR", *directory, "The run's directory")->required();
    verb->add_option("--cell", part->cell, "Only this cell, by its id");
    verb->add_option(
        "--test", part->tests,
        "Only this test, as TARGET:TEST or TARGET, and no benchmark; may be given more than "
        "once");
    verb->add_option("--out", *out, "The new run's directory; by default DIR/rerun-1, -2, ...");
    verb->add_option("-j,--jobs", *jobs, "Jobs of make")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_examples(*verb, "  kmatrix rerun DIR --cell arm64-default-8cpu-gcc --test "
                        "proc:proc-maps-race\n"
                        "  kmatrix rerun DIR");
    verb->callback(
        [=, &action] { action = [=] { return run_again(*directory, *part, *out, *jobs); }; });
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/bisect.h"

#include <memory>

#include "runner/cli/verbs.h"
#include "runner/host.h"

namespace kmatrix {

void add_bisect(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "bisect", "Find the patch of a run's series that first regresses what the run found");
    auto directory = std::make_shared<std::string>();
    auto part = std::make_shared<Part>();
    auto jobs = std::make_shared<int>(host_cpus());
    verb->add_option("DIR", *directory, "The run's directory")->required();
    verb->add_option("--cell", part->cell,
                     "Only in this cell, by its id; by default the first in which something "
                     "regressed");
    verb->add_option(
        "--test", part->tests,
        "Only by this test, as TARGET:TEST or TARGET, and no benchmark; may be given more than "
        "once");
    verb->add_option("-j,--jobs", *jobs, "Jobs of make")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_examples(*verb, "  kmatrix bisect DIR --test proc:proc-maps-race\n"
                        "  kmatrix bisect DIR --cell arm64-default-8cpu-gcc");
    verb->callback([=, &action] { action = [=] { return bisect_run(*directory, *part, *jobs); }; });
}

} // namespace kmatrix

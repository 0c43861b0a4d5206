// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include "runner/cli/run_options.h"
#include "runner/cli/verbs.h"
#include "runner/run/run.h"

namespace kmatrix {

void add_noise(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "noise", "Measure how far one kernel is from itself here: an A/A run of a matrix's "
                 "benchmarks, whose noise floor later runs know");
    auto options = std::make_shared<RunOptions>();
    options->request.noise = true;
    add_run_options(*verb, *options);
    verb->get_option("MATRIX")->required();
    add_examples(*verb, "  kmatrix noise matrix/smaps-rollup.toml --tree ~/linux\n"
                        "  kmatrix noise matrix/thread.toml --tree ~/linux --only arch=x86_64");
    verb->callback([=, &action] {
        action = [=] {
            options->complete();
            return run(options->request);
        };
    });
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include "runner/cli/run_options.h"
#include "runner/cli/verbs.h"
#include "runner/run/run.h"

namespace kmatrix {

void add_run(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("run", "Build, boot, test and compare; write JUnit XML and a report");
    auto options = std::make_shared<RunOptions>();
    auto resume = std::make_shared<std::string>();
    add_run_options(*verb, *options);
    CLI::Option* series_option =
        verb->add_option("--series", options->request.series,
                         "What to test: a directory of patches, a patch or mbox (.gz too), - for "
                         "stdin, a Message-ID "
                         "or its URL at lore.kernel.org, a git range or a branch");
    verb->add_option(
        "--test", options->request.tests,
        "Only this test, as TARGET:TEST or TARGET, and no benchmark; may be given more than "
        "once");
    verb->add_option("--patches", options->request.patches,
                     "Apply only the first so many of the series")
        ->check(CLI::PositiveNumber);
    // "--each-patch" means "--each-patch=build".
    CLI::Option* each_option =
        verb->add_flag("--each-patch{build}", options->each_patch,
                       "Also build (=boot: and boot) the kernel after each patch of the series, "
                       "and say which breaks bisection")
            ->check(CLI::IsMember({"build", "boot"}));
    CLI::Option* resume_option =
        verb->add_option("--resume", *resume,
                         "Go on with the run in this directory: do only what "
                         "is missing");
    for (CLI::Option* option : {verb->get_option("MATRIX"), series_option, each_option})
        resume_option->excludes(option);
    add_examples(*verb,
                 "  kmatrix run matrix/smaps-rollup.toml --tree ~/linux --series v2-mbox\n"
                 "  kmatrix run matrix/quick.toml --tree ~/linux --series v6.12..topic\n"
                 "  kmatrix run matrix/thread.toml --series topic --only arch=arm64 --budget 80m\n"
                 "  kmatrix run matrix/quick.toml --tree ~/linux --series v2-mbox --each-patch\n"
                 "  kmatrix run --resume kmatrix-runs/20260101-120000");
    verb->callback([=, &action] {
        if (resume->empty() && (options->matrix.empty() || options->request.series.empty()))
            throw CLI::RequiredError(options->matrix.empty() ? "MATRIX (or --resume DIR)"
                                                             : "--series");
        action = [=] {
            options->request.resume = !resume->empty();
            options->request.directory = *resume;
            options->complete();
            return run(options->request);
        };
    });
}

} // namespace kmatrix

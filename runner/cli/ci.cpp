// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include "runner/ci/ci.h"
#include "runner/cli/run_options.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

struct Options {
    RunOptions run; // MATRIX, the output and what add_work_options() has
    std::string tree, base, head, series, shard;
    std::vector<std::string> shards;
};

int act(const Options& options) {
    CiRequest request;
    request.run = options.run.request;
    request.run.matrix_file = options.run.matrix;
    request.run.directory = options.run.out;
    request.run.budget = options.run.budget();
    request.run.tree = options.tree;
    request.run.series = options.series;
    request.base = options.base;
    request.head = options.head;
    request.shards.assign(options.shards.begin(), options.shards.end());
    if (!options.shard.empty()) {
        const auto shard = parse_shard(options.shard);
        if (!shard)
            return fail(shard.error());
        request.run.shard = *shard;
    }
    return ci(std::move(request), this_environment());
}

} // namespace

void add_ci(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "ci", "In a CI's job: run on the change that the job is for, or merge the runs of shards");
    auto options = std::make_shared<Options>();
    CLI::Option* matrix = verb->add_option("MATRIX", options->run.matrix, "The matrix file");
    verb->add_option("--tree", options->tree,
                     "The kernel's git tree; by default the CI's checkout, or .");
    CLI::Option* base = verb->add_option(
        "--base", options->base,
        "Test what is on top of this revision; by default the CI says it: GitHub Actions (pull "
        "requests, merge groups), GitLab (merge requests), Jenkins (multibranch, and the plugins "
        "for "
        "either). With --series: the baseline");
    CLI::Option* head =
        verb->add_option("--head", options->head, "The last commit of it; by default HEAD");
    head->needs(base);
    CLI::Option* series = verb->add_option(
        "--series", options->series, "Test this instead: whatever `kmatrix run --series` takes");
    series->excludes(head);
    verb->add_option("--output", options->run.out,
                     "The run's directory, with the reports; by default kmatrix-results, or "
                     "kmatrix-shard-K, in the CI's checkout");
    CLI::Option* shard = verb->add_option("--shard", options->shard,
                                          "K/N: only the K-th of N parts of the cells; those that "
                                          "share a kernel stay together as far "
                                          "as the parts are then of about one length");
    add_work_options(*verb, options->run);
    CLI::Option* merge =
        verb->add_option("--merge", options->shards,
                         "Run nothing: make one run, with its reports, of the runs of all shards");
    for (CLI::Option* option : {matrix, base, head, series, shard})
        merge->excludes(option);
    add_examples(*verb,
                 "  kmatrix ci matrix/quick.toml --budget 50m\n"
                 "  kmatrix ci matrix/quick.toml --base origin/main --head HEAD\n"
                 "  kmatrix ci matrix/thread.toml --shard \"$CI_NODE_INDEX/$CI_NODE_TOTAL\"\n"
                 "  kmatrix ci --merge kmatrix-shard-*\n"
                 "docs/ci.md has whole files for GitHub Actions, GitLab and Jenkins.");
    verb->callback([=, &action] {
        if (options->run.matrix.empty() && options->shards.empty())
            throw CLI::RequiredError("MATRIX (or --merge DIR...)");
        action = [=] { return act(*options); };
    });
}

} // namespace kmatrix

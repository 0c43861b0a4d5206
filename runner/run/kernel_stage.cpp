// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/kernel_stage.h"

#include <set>

#include <fmt/format.h>

#include "runner/installation.h"
#include "runner/run/again.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// What the selftests of the matrix ask of the configuration. The patched tree's word holds for both
// kernels, so that they differ by the series alone.
asio::awaitable<std::vector<Fragment>> selftest_configs(const Prepared& prepared) {
    std::set<std::string> targets;
    for (const Cell& cell : prepared.matrix.cells)
        for (const Selftest& selftest : cell.selftests)
            targets.insert(selftest.target);
    std::vector<Fragment> fragments;
    for (const std::string& target : targets) {
        const std::string path = fmt::format("tools/testing/selftests/{}/config", target);
        const auto text =
            co_await prepared.sources.repository.file(prepared.sources.patched.id, path);
        // Many targets have none.
        if (text)
            fragments.push_back(parse_selftest_config(*text, path));
    }
    co_return fragments;
}

} // namespace

asio::awaitable<Result<KernelBuild>> kernel_stage(const RunContext& context, BuildTask task,
                                                  Detail detail) {
    const Prepared& prepared = context.prepared;
    // GCC 12 destroys some temporaries of a call twice where co_await stands among its arguments.
    const std::vector<Fragment> selftests = co_await selftest_configs(prepared);
    auto recipe = read_recipe(kconfigs_directory(), task.key.config, task.key.arch, selftests);
    if (!recipe)
        co_return tl::unexpected(std::move(recipe.error()));
    auto directory = prepared.store.build_directory(task.key, task.kernel, task.patches);
    if (!directory)
        co_return tl::unexpected(std::move(directory.error()));
    BuildRequest request;
    request.key = task.key;
    request.kernel = task.kernel;
    request.config = std::move(*recipe);
    request.jobs = context.jobs;
    request.clean = context.clean_builds;
    request.log = *directory / "build.log";
    request.progress = [detail](const BuildProgress& progress) {
        detail(progress.steps > 0 ? fmt::format("{}, {} files", progress.stage, progress.steps)
                                  : progress.stage);
    };
    const Sources& sources = task.patches == 0
                                 ? prepared.sources
                                 : prepared.steps.at(static_cast<std::size_t>(task.patches - 1));
    auto build = co_await build_kernel(context.cache, sources, std::move(request));
    if (build) {
        build->result.log = prepared.store.relative(build->result.log);
        build->result.patches = task.patches;
        build->result.command = again(prepared,
                                      Filter{{{"arch", {std::string(to_string(task.key.arch))}},
                                              {"config", {task.key.config}},
                                              {"compiler", {task.key.compiler}}}},
                                      task.patches);
    }
    co_return build;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/work.h"

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>

#include "results/comparison/comparison.h"
#include "results/comparison/reruns.h"
#include "runner/exit_status.h"
#include "runner/run/prepare.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// Work that an earlier run has done. Builds are looked up in the cache again, since boots need
// their files; a kernel that did not build stays so.
void skip_what_is_done(const RunResult& result, EngineOptions& options) {
    for (const auto* builds : {&result.builds, &result.step_builds})
        for (const BuildResult& build : *builds)
            if (!build.ok)
                options.bad.insert(build_task_id(build.key, build.kernel, build.patches));
    for (const auto* boots : {&result.boots, &result.step_boots})
        for (const BootResult& boot : *boots)
            options.good.insert(boot.id);
}

// Builds and images that only boots need which are done already.
void skip_what_nothing_needs(const std::vector<Task>& tasks, const RunResult& result,
                             EngineOptions& options) {
    std::vector<bool> needed(tasks.size(), false);
    for (std::size_t i = tasks.size(); i-- > 0;) {
        const bool boot = std::holds_alternative<BootTask>(tasks[i].work);
        // Of a kernel that did not build it never comes to a boot.
        const bool can_be =
            std::none_of(tasks[i].after.begin(), tasks[i].after.end(), [&](std::size_t before) {
                return options.bad.contains(tasks[before].id);
            });
        if (boot && can_be && !options.good.contains(tasks[i].id))
            needed[i] = true;
        if (needed[i])
            for (const std::size_t before : tasks[i].after)
                needed[before] = true;
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (needed[i] || options.bad.contains(tasks[i].id))
            continue;
        const auto* build = std::get_if<BuildTask>(&tasks[i].work);
        const auto is_it = [&](const BuildResult& other) {
            return other.key == build->key && other.kernel == build->kernel &&
                   other.patches == build->patches;
        };
        const bool known = !build ||
                           std::any_of(result.builds.begin(), result.builds.end(), is_it) ||
                           std::any_of(result.step_builds.begin(), result.step_builds.end(), is_it);
        if (known)
            options.good.insert(tasks[i].id);
    }
}

// What the plan has and no run has done yet.
asio::awaitable<Result<EngineEnd>> run_plan(const RunWork& work, EngineOptions options) {
    const std::vector<Task> tasks = make_tasks(work.matrix, work.plan, work.result.steps());
    options.expected_s = [&](const Task& task) { return work.watcher.expected_s(task); };
    skip_what_is_done(work.result, options);
    for (const Task& task : tasks)
        if (work.stages.has(task))
            options.good.insert(task.id);
    skip_what_nothing_needs(tasks, work.result, options);
    double left_s = 0;
    for (const Task& task : tasks)
        if (!options.good.contains(task.id) && !options.bad.contains(task.id))
            left_s += work.watcher.expected_s(task);
    work.progress.expect(left_s);
    co_return co_await run_tasks(tasks, work.stages, work.watcher, std::move(options));
}

// Plans what has to be run again, and keeps that plan, so that --resume knows of it. False:
// nothing.
Result<bool> plan_reruns(const RunWork& work) {
    const std::vector<PlannedBoot> again = reruns(work.result, compare(work.result));
    if (again.empty())
        return false;
    // A cell that lacked a result may come later than the others, and belongs where it would have.
    std::vector<PlannedBoot>& planned = work.result.info.reruns;
    planned.insert(planned.end(), again.begin(), again.end());
    std::stable_sort(planned.begin(), planned.end(),
                     [](const auto& one, const auto& other) { return one.cell < other.cell; });
    work.plan.boots = all_boots(work.result);
    work.progress.say(
        fmt::format("again  tests that failed, in {} more boots: to tell a flake from a "
                    "regression",
                    again.size()));
    return work.store.save(work.result.info).map([] { return true; });
}

} // namespace

asio::awaitable<Result<EngineEnd>> do_work(RunWork work, EngineOptions options) {
    auto end = co_await run_plan(work, options);
    if (!end || *end != EngineEnd::done)
        co_return end;
    const auto more = plan_reruns(work);
    if (!more)
        co_return tl::unexpected(more.error());
    if (*more)
        end = co_await run_plan(work, options);
    co_return end;
}

void stop_on_signals(asio::signal_set& signals, asio::cancellation_signal& cancellation,
                     Progress& progress, bool& interrupted) {
    signals.async_wait([&](boost::system::error_code error, int) {
        if (error)
            return;
        if (interrupted)
            ::_exit(infrastructure_status);
        interrupted = true;
        progress.say("stopping: what is done is kept; once more ends kmatrix at once", Tone::bad);
        cancellation.emit(asio::cancellation_type::terminal);
        stop_on_signals(signals, cancellation, progress, interrupted);
    });
}

} // namespace kmatrix

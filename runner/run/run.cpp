// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>

#include <unistd.h>

#include <boost/asio.hpp>
#include <fmt/format.h>

#include "base/files.h"
#include "results/comparison/reruns.h"
#include "runner/cli/verbs.h"
#include "runner/durations.h"
#include "runner/exit_status.h"
#include "runner/host.h"
#include "runner/run/memory.h"
#include "runner/run/prepare.h"
#include "runner/run/real_stages.h"
#include "runner/run/reports.h"
#include "runner/run/run_watcher.h"
#include "runner/run/spent.h"
#include "runner/run/version_diff.h"
#include "runner/vm/guardian.h"
#include "runner/vm/libvirt/hypervisor.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// What is left of a budget for writing the reports.
constexpr std::chrono::seconds report_reserve{15};
constexpr std::size_t most_kept_range_diff_bytes = 64u << 10;

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

void warn(const std::vector<std::string>& warnings, Progress& progress) {
    for (const std::string& warning : warnings)
        progress.say("warning: " + warning, Tone::bad);
}

// What the plan has and no run has done yet.
asio::awaitable<Result<EngineEnd>> run_plan(const Prepared& prepared, const RunResult& result,
                                            RealStages& stages, RunWatcher& watcher,
                                            Progress& progress, EngineOptions options) {
    const std::vector<Task> tasks = make_tasks(prepared.matrix, prepared.plan, result.steps());
    options.capacity = {host_cpus(), host_memory_mib()};
    options.expected_s = [&](const Task& task) { return watcher.expected_s(task); };
    skip_what_is_done(result, options);
    for (const Task& task : tasks)
        if (stages.has(task))
            options.good.insert(task.id);
    skip_what_nothing_needs(tasks, result, options);
    double work_s = 0;
    for (const Task& task : tasks)
        if (!options.good.contains(task.id) && !options.bad.contains(task.id))
            work_s += watcher.expected_s(task);
    progress.expect(work_s);
    co_return co_await run_tasks(tasks, stages, watcher, std::move(options));
}

void add_dependencies(std::vector<TaskCost>& costs, const std::vector<Task>& tasks) {
    std::map<std::string_view, const Task*> by_id;
    for (const Task& task : tasks)
        by_id[task.id] = &task;
    for (TaskCost& cost : costs)
        if (const auto task = by_id.find(cost.id); task != by_id.end())
            for (const std::size_t before : task->second->after)
                cost.after.push_back(tasks[before].id);
}

// Plans what has to be run again, and keeps that plan, so that --resume knows of it. False:
// nothing.
Result<bool> plan_reruns(Prepared& prepared, RunResult& result, Progress& progress) {
    const std::vector<PlannedBoot> again = reruns(result, compare(result));
    if (again.empty())
        return false;
    result.info.reruns = again;
    prepared.plan.boots = all_boots(result);
    progress.say(fmt::format("again  tests that failed, in {} more boots: to tell a flake from a "
                             "regression",
                             again.size()));
    return prepared.store.save(result.info).map([] { return true; });
}

// What changed since the earlier version, where both versions' patches are at hand.
asio::awaitable<void> add_range_diff(const Cache& cache, const Prepared& prepared,
                                     const RunInfo& info, EarlierVersion& earlier) {
    auto run = load_run(earlier.directory);
    if (!run || run->info.id != earlier.run || run->info.started != earlier.started) {
        earlier.no_range_diff =
            fmt::format("the run of v{} is not in {} any more", earlier.version, earlier.directory);
        co_return;
    }
    TestedSeries from{earlier.directory, std::move(run->info)};
    TestedSeries to{prepared.store.directory(), info};
    VersionDiff diff = co_await version_diff(cache, std::move(from), std::move(to));
    earlier.notes = std::move(diff.notes);
    earlier.no_range_diff = std::move(diff.why_not);
    earlier.range_diff = std::move(diff.text);
    if (earlier.range_diff.size() <= most_kept_range_diff_bytes)
        co_return;
    const std::size_t end = earlier.range_diff.rfind('\n', most_kept_range_diff_bytes);
    earlier.range_diff.resize(end == std::string::npos ? most_kept_range_diff_bytes : end + 1);
    earlier.notes.push_back(
        fmt::format("the range-diff is longer than {} KiB: kmatrix compare shows all of it",
                    most_kept_range_diff_bytes >> 10));
}

asio::awaitable<Result<RunEnd>> conduct(RunRequest request, const Guardian& guardian,
                                        Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const Cache cache(cache_directory());
    auto uri = vm_uri(request);
    if (!uri)
        co_return tl::unexpected(std::move(uri.error()));
    auto hypervisor = co_await open_hypervisor(*uri, guardian);
    if (!hypervisor)
        co_return tl::unexpected(std::move(hypervisor.error()));
    auto prepared = co_await prepare(cache, request, (*hypervisor)->machine());
    if (!prepared)
        co_return tl::unexpected(std::move(prepared.error()));

    RunResult result = prepared->result;
    result.infrastructure.clear();
    result.not_run.clear();
    Durations durations = read_durations();
    RunWatcher watcher(prepared->matrix, prepared->plan, prepared->host, prepared->store, progress,
                       result, durations);
    const RunContext context{*prepared, cache, **hypervisor, request.jobs, request.clean_builds};
    RealStages stages(context, progress);

    EngineOptions options;
    if (request.budget)
        options.deadline = begin + *request.budget - report_reserve;
    progress.say(fmt::format(
        "run    {}: {} {}, {} builds, {} boots", prepared->store.directory().string(),
        prepared->matrix.cells.size(), prepared->matrix.cells.size() == 1 ? "cell" : "cells",
        (2 + static_cast<std::size_t>(result.steps())) * prepared->plan.builds.size(),
        prepared->plan.boots.size()));

    auto end = co_await run_plan(*prepared, result, stages, watcher, progress, options);
    if (end && *end == EngineEnd::done) {
        auto more = plan_reruns(*prepared, result, progress);
        if (!more)
            co_return tl::unexpected(std::move(more.error()));
        if (*more)
            end = co_await run_plan(*prepared, result, stages, watcher, progress, options);
    }
    if (!end)
        co_return tl::unexpected(std::move(end.error()));
    write_durations(durations);
    for (const std::string& note : stages.notes())
        result.info.notes.push_back(note);
    Recalled recalled = recall(result, prepared->store.directory(), state_directory());
    warn(recalled.warnings, progress);
    if (recalled.known.earlier_version)
        co_await add_range_diff(cache, *prepared, result.info, *recalled.known.earlier_version);
    if (auto kept = prepared->store.save(recalled.known); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    if (auto kept = prepared->store.save(result.info); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    if (auto kept = prepared->store.save_incidents(result); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    Spent spent{0, host_cpus(), watcher.costs(), stages.repeated_s()};
    add_dependencies(spent.tasks, make_tasks(prepared->matrix, prepared->plan, result.steps()));
    // As `kmatrix report` will see it.
    auto loaded = prepared->store.load();
    if (!loaded)
        co_return tl::unexpected(std::move(loaded.error()));
    auto comparison = write_reports(prepared->store, *loaded);
    if (!comparison)
        co_return tl::unexpected(std::move(comparison.error()));
    warn(remember(*loaded, *comparison, prepared->store.directory(), state_directory()), progress);
    spent.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (auto written = write_file(prepared->store.directory() / "spent.json", spent_json(spent));
        !written)
        co_return tl::unexpected(std::move(written.error()));
    std::string text =
        terminal_summary(*loaded, *comparison, prepared->store.directory(), spent_text(spent));
    co_return RunEnd{std::move(*comparison), std::move(text), prepared->store.directory(),
                     *end == EngineEnd::interrupted};
}

// The first signal cancels, the second ends kmatrix at once; its guardian and PR_SET_PDEATHSIG then
// end what it started.
void listen(asio::signal_set& signals, asio::cancellation_signal& cancellation, Progress& progress,
            bool& interrupted) {
    signals.async_wait([&](boost::system::error_code error, int) {
        if (error)
            return;
        if (interrupted)
            ::_exit(infrastructure_status);
        interrupted = true;
        progress.say("stopping: what is done is kept; once more ends kmatrix at once", Tone::bad);
        cancellation.emit(asio::cancellation_type::terminal);
        listen(signals, cancellation, progress, interrupted);
    });
}

} // namespace

Result<RunEnd> perform(const RunRequest& request) {
    auto guardian = Guardian::start();
    if (!guardian)
        return tl::unexpected(std::move(guardian.error()));
    asio::io_context context(1);
    Progress progress(context.get_executor(), stderr, ProgressStyle::of(stderr));
    asio::cancellation_signal cancellation;
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    bool interrupted = false;
    listen(signals, cancellation, progress, interrupted);

    Result<RunEnd> finished = infrastructure_error("interrupted before anything was done");
    asio::co_spawn(context, conduct(request, *guardian, progress),
                   asio::bind_cancellation_slot(
                       cancellation.slot(), [&](std::exception_ptr thrown, Result<RunEnd> result) {
                           signals.cancel();
                           if (!thrown) {
                               finished = std::move(result);
                               return;
                           }
                           try {
                               std::rethrow_exception(thrown);
                           } catch (const std::exception& e) {
                               if (!interrupted)
                                   finished = infrastructure_error(e.what());
                           }
                       }));
    context.run();
    return finished;
}

int exit_status(const RunEnd& end) {
    // What was stopped has not shown that all is as wanted.
    if (end.interrupted && end.comparison.outcome == Outcome::as_wanted)
        return infrastructure_status;
    return exit_status(end.comparison);
}

int run(const RunRequest& request) {
    const Result<RunEnd> finished = perform(request);
    if (!finished)
        return fail(finished.error());
    fmt::print("{}", finished->text);
    return exit_status(*finished);
}

} // namespace kmatrix

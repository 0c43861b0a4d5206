// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/run.h"

#include <csignal>
#include <cstdio>
#include <map>

#include <boost/asio.hpp>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
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
#include "runner/run/work.h"
#include "runner/vm/guardian.h"
#include "runner/vm/libvirt/hypervisor.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// What is left of a budget for writing the reports.
constexpr std::chrono::seconds report_reserve{15};
constexpr std::size_t most_kept_range_diff_bytes = 64u << 10;

void warn(const std::vector<std::string>& warnings, Progress& progress) {
    for (const std::string& warning : warnings)
        progress.say("warning: " + warning, Tone::bad);
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
    options.capacity = {host_cpus(), host_memory_mib()};
    if (request.budget)
        options.deadline = begin + *request.budget - report_reserve;
    progress.say(fmt::format(
        "run    {}: {} {}, {} builds, {} boots", prepared->store.directory().string(),
        prepared->matrix.cells.size(), prepared->matrix.cells.size() == 1 ? "cell" : "cells",
        (2 + static_cast<std::size_t>(result.steps())) * prepared->plan.builds.size(),
        prepared->plan.boots.size()));

    const RunWork work{prepared->matrix, prepared->plan, prepared->store, result,
                       stages,           watcher,        progress};
    auto end = co_await do_work(work, options);
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

} // namespace

Result<RunEnd> perform(const RunRequest& request) {
    std::signal(SIGPIPE, SIG_IGN); // a terminal or a reader that goes away ends no run
    auto guardian = Guardian::start();
    if (!guardian)
        return tl::unexpected(std::move(guardian.error()));
    asio::io_context context(1);
    Progress progress(context.get_executor(), stderr, ProgressStyle::of(stderr));
    asio::cancellation_signal cancellation;
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    bool interrupted = false;
    stop_on_signals(signals, cancellation, progress, interrupted);

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
    // Whoever read it may have gone away; the exit status says it too.
    static_cast<void>(std::fputs(finished->text.c_str(), stdout));
    return exit_status(*finished);
}

} // namespace kmatrix

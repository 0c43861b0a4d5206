// SPDX-License-Identifier: GPL-2.0-only
// The work of a run, from a plan and what is done of it to its last result: over any stages, so
// that tests can kill it wherever they like.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/signal_set.hpp>

#include "results/store.h"
#include "runner/engine/engine.h"
#include "runner/progress.h"
#include "runner/run/run_watcher.h"

namespace kmatrix {

struct RunWork {
    const Matrix& matrix;
    Plan& plan;
    const Store& store;
    RunResult& result; // what is done already; grows
    Stages& stages;
    RunWatcher& watcher; // of the same plan and result
    Progress& progress;
};

// Does what the plan has and nobody has done yet, and then runs again what failed and might be a
// flake; that second plan is on disk before any of it starts. Returns as run_tasks() does.
boost::asio::awaitable<Result<EngineEnd>> do_work(RunWork work, EngineOptions options);

// The first signal cancels, the second ends kmatrix at once, with status 3; its guardian and
// PR_SET_PDEATHSIG then end what it started. All arguments must outlive the signal_set's waiting.
void stop_on_signals(boost::asio::signal_set& signals,
                     boost::asio::cancellation_signal& cancellation, Progress& progress,
                     bool& interrupted);

} // namespace kmatrix

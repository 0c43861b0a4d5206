// SPDX-License-Identifier: GPL-2.0-only
#include "tests/faults/fake_run.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <fmt/format.h>

#include "base/files.h"
#include "results/comparison/hand_built_run.h"
#include "runner/run/reports.h"
#include "runner/run/work.h"

namespace kmatrix::faults {
namespace {
namespace fs = std::filesystem;
namespace asio = boost::asio;

constexpr std::string_view matrix_text =
    "[axes]\narch = ['x86_64', 'arm64']\nvcpus = [4]\n"
    "[[selftest]]\ntarget = 'proc'\n"
    "[[benchmark]]\nprocfile = 'smaps_rollup'\nsamples = 1\nboots = 4\n";

class FixedStages : public Stages {
  public:
    FixedStages(const Plan& plan, const Matrix& matrix, const RunOptions& options)
        : plan_(plan), matrix_(matrix), options_(options) {}

    asio::awaitable<Result<TaskResult>> run(const Task& task) override {
        const Task mine = task; // the plan may grow meanwhile
        point();
        asio::steady_timer timer(co_await asio::this_coro::executor);
        do {
            timer.expires_after(std::chrono::microseconds(100));
            const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
            if (error)
                throw boost::system::system_error(error);
        } while (!options_.wait_for.empty() && !fs::exists(options_.wait_for));
        point();
        if (mine.id == options_.failing_task)
            co_return infrastructure_error("bison: no such program in PATH");
        if (const auto* work = std::get_if<BuildTask>(&mine.work))
            co_return TaskResult(build(*work));
        if (std::holds_alternative<ImageTask>(mine.work))
            co_return TaskResult(ImageReady{});
        co_return TaskResult(boot(plan_.boots.at(std::get<BootTask>(mine.work).boot)));
    }

  private:
    static BuildResult build(const BuildTask& task) {
        BuildResult build;
        build.key = task.key;
        build.kernel = task.kernel;
        build.ok = true;
        build.image_sha256 = fmt::format("image of {}", to_string(task.kernel));
        build.seconds = 1;
        if (task.kernel == Kernel::patched)
            build.warnings = {{"mm/x.c", "-Wunused", "unused", 2}};
        return build;
    }

    BootResult boot(const PlannedBoot& planned) const {
        BootResult boot;
        boot.id = planned.id;
        boot.cell = matrix_.cells.at(planned.cell).id;
        boot.kernel = planned.kernel;
        boot.number = planned.number;
        boot.outcome = Completed{};
        boot.machine = {Accel::tcg, "7.2.22", "9.0.0", "Fake CPU", 2, false};
        boot.vitals = Vitals{4, 2'000'000, "7.3.4", "x", "", "tsc", "full", 250, 4096, {}};
        boot.seconds = 1;
        const bool is_patched = planned.kernel == Kernel::patched;
        if (planned.benchmark) {
            boot.benchmark = matrix_.cells.at(planned.cell).benchmarks.at(*planned.benchmark).name;
            boot.samples = {hand_built::sample((is_patched ? 0.5 : 1.0) + 0.01 * planned.number)};
            return boot;
        }
        const int attempts = planned.reruns.empty() ? 1 : planned.reruns.front().times;
        for (int attempt = 1; attempt <= attempts; ++attempt) {
            TestRun test;
            test.target = "proc";
            test.test = "proc-maps-race";
            test.attempt = attempt;
            test.seconds = 1;
            test.status = is_patched && attempt % 2 == 1 ? Status::fail : Status::pass;
            test.reason = test.status == Status::fail ? "exit 1" : "";
            boot.tests.push_back(test);
        }
        return boot;
    }

    const Plan& plan_;
    const Matrix& matrix_;
    const RunOptions& options_;
};

Result<Store> store_in(const fs::path& directory) {
    if (is_run(directory))
        return Store::open(directory, true);
    RunInfo info;
    info.id = "run";
    info.started = "2026-01-01T12:00:00Z";
    info.matrix_file = "m.toml";
    info.machine = {Accel::tcg, "7.2.22", "9.0.0", "Fake CPU", 2, false};
    return Store::create(directory, info, matrix_text);
}

// As runner/run/run.cpp's conduct() does, without what needs a tree and QEMU.
asio::awaitable<Result<EngineEnd>> conduct(const Store& store, RunResult result, Plan plan,
                                           Progress& progress, const RunOptions& options) {
    result.infrastructure.clear();
    result.not_run.clear();
    const Host host;
    Durations durations;
    FixedStages stages(plan, result.matrix, options);
    RunWatcher watcher(result.matrix, plan, host, store, progress, result, durations);
    EngineOptions engine;
    engine.capacity = options.capacity;
    const RunWork work{result.matrix, plan, store, result, stages, watcher, progress};
    auto end = co_await do_work(work, engine);
    if (!end)
        co_return end;
    if (auto kept = store.save(result.info); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    if (auto kept = store.save_incidents(result); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    auto loaded = store.load();
    if (!loaded)
        co_return tl::unexpected(std::move(loaded.error()));
    if (auto written = write_reports(store, *loaded); !written)
        co_return tl::unexpected(std::move(written.error()));
    co_return end;
}

int say_and_fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 3;
}

} // namespace

int run_here(const fs::path& directory, const RunOptions& options) {
    ::setenv("PATH", "/nonexistent", 1); // no pictures: they take most of the time
    std::signal(SIGPIPE, SIG_IGN);
    set(options.faults);
    auto store = store_in(directory);
    if (!store)
        return say_and_fail(store.error());
    auto result = store->load();
    if (!result)
        return say_and_fail(result.error());
    Plan planned = plan(result->matrix);
    planned.boots = result->planned_boots();

    std::FILE* stream = std::fopen("/dev/null", "w");
    if (options.terminal_gone) {
        int ends[2] = {};
        if (::pipe(ends) != 0)
            return 4;
        ::close(ends[0]);
        stream = ::fdopen(ends[1], "w");
    }
    asio::io_context context(1);
    Progress progress(context.get_executor(), stream, {});
    asio::cancellation_signal cancellation;
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    bool interrupted = false;
    stop_on_signals(signals, cancellation, progress, interrupted);
    Result<EngineEnd> end;
    asio::co_spawn(context, conduct(*store, *result, planned, progress, options),
                   asio::bind_cancellation_slot(cancellation.slot(),
                                                [&](std::exception_ptr, Result<EngineEnd> value) {
                                                    signals.cancel();
                                                    end = std::move(value);
                                                }));
    context.run();
    if (std::FILE* file = std::fopen(options.count_file.c_str(), "w")) {
        std::fprintf(file, "%d", points());
        std::fclose(file);
    }
    if (!end)
        return say_and_fail(end.error());
    return *end == EngineEnd::done ? 0 : 3;
}

int run_in_child(const fs::path& directory, const RunOptions& options) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        // What it says is for the tests that look at it.
        const int log = ::open((directory.string() + ".err").c_str(),
                               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        ::dup2(log, 2);
        ::_exit(run_here(directory, options));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

std::map<std::string, std::string> outcome(const fs::path& directory) {
    std::map<std::string, std::string> texts;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(directory, error)) {
        const std::string name = entry.path().lexically_relative(directory).string();
        if (entry.is_regular_file(error) && name != "lock")
            texts[name] = read_file(entry.path()).value_or("unreadable");
    }
    return texts;
}

} // namespace kmatrix::faults

// SPDX-License-Identifier: GPL-2.0-only
// What the engine itself costs: runs of more and more cells whose stages do nothing. One JSON
// object a line: {"name": ..., "value": ..., "unit": ...}.
#include <ctime>

#include <sys/resource.h>

#include <boost/asio.hpp>
#include <fmt/format.h>

#include "matrix/matrix.h"
#include "runner/engine/engine.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

class Nothing : public Stages {
  public:
    asio::awaitable<Result<TaskResult>> run(const Task& task) override {
        // As a real stage does, it comes back through the event loop.
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        if (std::holds_alternative<BuildTask>(task.work)) {
            BuildResult build;
            build.ok = true;
            co_return TaskResult(std::move(build));
        }
        if (std::holds_alternative<ImageTask>(task.work))
            co_return TaskResult(ImageReady{});
        co_return TaskResult(BootResult{});
    }
};

class Counter : public Watcher {
  public:
    void started(const Task&) override {}
    Result<void> finished(const Task&, const Result<TaskResult>&) override {
        ++done;
        return {};
    }
    void left_out(const Task&, const std::string&) override {}

    std::size_t done = 0;
};

// So many cells, a hundred of which share a kernel; a functional boot and two benchmark boots a
// side in each.
Matrix matrix_of(std::size_t cells) {
    Benchmark benchmark;
    benchmark.name = "smaps_rollup";
    benchmark.boots = 2;
    Matrix matrix;
    matrix.cells.reserve(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        Cell cell;
        cell.axes.arch = i % 2 == 0 ? Arch::x86_64 : Arch::arm64;
        cell.axes.config = fmt::format("config-{}", i / 100);
        cell.axes.cmdline = fmt::format("cell={}", i);
        cell.id = fmt::format("cell-{}", i);
        cell.selftests.emplace_back();
        cell.benchmarks.push_back(benchmark);
        matrix.cells.push_back(std::move(cell));
    }
    return matrix;
}

double cpu_s() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peak_mib() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const std::string& name, double value, const char* unit) {
    fmt::print("{{\"name\": \"{}\", \"value\": {:.4g}, \"unit\": \"{}\"}}\n", name, value, unit);
}

int measure(std::size_t cells) {
    const Matrix matrix = matrix_of(cells);
    const double begin_s = cpu_s();
    const Plan all = plan(matrix);
    const std::vector<Task> tasks = make_tasks(matrix, all);
    Nothing stages;
    Counter watcher;
    EngineOptions options;
    options.capacity = {64, 1 << 20};
    asio::io_context context(1);
    asio::co_spawn(context, run_tasks(tasks, stages, watcher, options), asio::detached);
    context.run();
    if (watcher.done != tasks.size()) {
        fmt::print(stderr, "engine: {} of {} tasks done\n", watcher.done, tasks.size());
        return 1;
    }
    const std::string name = fmt::format("engine: {} cells, {} tasks", cells, tasks.size());
    print(name, cpu_s() - begin_s, "CPU s");
    print(name + ", peak memory", peak_mib(), "MiB");
    return 0;
}

} // namespace
} // namespace kmatrix

int main() {
    for (const std::size_t cells : {1000u, 3000u, 10000u})
        if (const int status = kmatrix::measure(cells); status != 0)
            return status;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/engine/engine.h"

#include <algorithm>
#include <map>

#include <boost/asio.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace kmatrix {
namespace {
namespace asio = boost::asio;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Stages that take a millisecond, and do what a test asks of single tasks.
class FakeStages : public Stages {
  public:
    asio::awaitable<Result<TaskResult>> run(const Task& task) override {
        begun.push_back(task.id);
        running.insert(task.id);
        if (task.room == Room::alone && running.size() > 1)
            crowded.push_back(task.id);
        most_at_once = std::max(most_at_once, running.size());
        asio::steady_timer timer(co_await asio::this_coro::executor,
                                 hang == task.id ? std::chrono::hours(1)
                                                 : std::chrono::milliseconds(1));
        const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
        running.erase(task.id);
        if (error)
            throw boost::system::system_error(error);
        if (on_end)
            on_end(task);
        if (broken == task.id)
            co_return infrastructure_error("no disk");
        if (std::holds_alternative<BuildTask>(task.work)) {
            BuildResult build;
            build.ok = bad_build != task.id;
            co_return TaskResult(build);
        }
        if (std::holds_alternative<ImageTask>(task.work))
            co_return TaskResult(ImageReady{});
        co_return TaskResult(BootResult{});
    }

    std::string hang, broken, bad_build;
    std::function<void(const Task&)> on_end;
    std::vector<std::string> begun, crowded;
    std::set<std::string> running;
    std::size_t most_at_once = 0;
};

class FakeWatcher : public Watcher {
  public:
    void started(const Task&) override {}
    Result<void> finished(const Task& task, const Result<TaskResult>& result) override {
        (result ? ended : failed).push_back(task.id);
        if (full_disk == task.id)
            return infrastructure_error("no space left");
        return {};
    }
    void left_out(const Task& task, const std::string& why) override { out[task.id] = why; }

    std::string full_disk;
    std::vector<std::string> ended, failed;
    std::map<std::string, std::string> out;
};

// Two architectures, a functional and two benchmark boots a side in each.
class EngineTest : public testing::Test {
  protected:
    EngineTest() {
        for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
            Cell cell;
            cell.axes.arch = arch;
            cell.id = to_string(arch);
            const std::size_t index = matrix.cells.size();
            matrix.cells.push_back(cell);
            plan.builds.push_back(cell.build());
            for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
                const std::string id = fmt::format("{}/{}", cell.id, to_string(kernel));
                plan.boots.push_back({id + "/functional-1", index, kernel, std::nullopt, 1, {}});
                for (int number = 1; number <= 2; ++number)
                    plan.boots.push_back(
                        {fmt::format("{}/bench-{}", id, number), index, kernel, 0, number, {}});
            }
        }
        tasks = make_tasks(matrix, plan);
        options.capacity = {4, 100000};
    }

    Result<EngineEnd> run(std::chrono::milliseconds cancel_after = std::chrono::milliseconds(0)) {
        asio::io_context context;
        asio::cancellation_signal signal;
        Result<EngineEnd> end;
        asio::co_spawn(context, run_tasks(tasks, stages, watcher, options),
                       asio::bind_cancellation_slot(
                           signal.slot(), [&](std::exception_ptr thrown, Result<EngineEnd> result) {
                               EXPECT_FALSE(thrown);
                               end = std::move(result);
                           }));
        asio::steady_timer timer(context);
        if (cancel_after.count() > 0) {
            timer.expires_after(cancel_after);
            timer.async_wait([&](auto) { signal.emit(asio::cancellation_type::terminal); });
        }
        context.run();
        return end;
    }

    std::ptrdiff_t place(const std::string& id) const {
        const auto found = std::find(stages.begun.begin(), stages.begun.end(), id);
        EXPECT_NE(found, stages.begun.end()) << id;
        return found - stages.begun.begin();
    }

    Matrix matrix;
    Plan plan;
    std::vector<Task> tasks;
    FakeStages stages;
    FakeWatcher watcher;
    EngineOptions options;
};

TEST_F(EngineTest, DoesEverythingOnceAndInOrder) {
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_EQ(stages.begun.size(), 2u + 4u + 12u);
    EXPECT_EQ(watcher.ended.size(), stages.begun.size());
    EXPECT_THAT(watcher.out, IsEmpty());
    EXPECT_LT(place("build x86_64-default-gcc baseline"),
              place("build x86_64-default-gcc patched"));
    EXPECT_LT(place("build arm64-default-gcc patched"), place("arm64/patched/functional-1"));
    // Functional boots of the first kernels do not wait for the last.
    EXPECT_LT(place("x86_64/baseline/functional-1"), place("build arm64-default-gcc patched"));
}

TEST_F(EngineTest, BenchmarksAreAlone) {
    ASSERT_TRUE(run());
    EXPECT_THAT(stages.crowded, IsEmpty());
    EXPECT_GE(stages.most_at_once, 2u);
}

TEST_F(EngineTest, OneGuestAtATimeWhereMemoryIsShort) {
    options.capacity = {64, 1};
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_LE(stages.most_at_once, 2u); // a compiler and a guest
}

TEST_F(EngineTest, ABrokenBuildStopsWhatNeedsItAndNothingElse) {
    stages.bad_build = "build arm64-default-gcc patched";
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_THAT(watcher.ended, Contains("build arm64-default-gcc patched"));
    EXPECT_EQ(watcher.out.size(), 3u);
    EXPECT_TRUE(watcher.out.contains("arm64/patched/bench-2"));
    EXPECT_THAT(watcher.ended, Contains("arm64/baseline/bench-2"));
}

TEST_F(EngineTest, AnErrorOfOurOwnStopsWhatNeedsIt) {
    stages.broken = "image x86_64";
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_THAT(watcher.failed, ElementsAre("image x86_64"));
    EXPECT_EQ(watcher.out.size(), 6u);
    EXPECT_THAT(watcher.ended, Contains("arm64/patched/bench-2"));
}

TEST_F(EngineTest, AnExceptionIsAnErrorOfOurOwn) {
    stages.on_end = [](const Task& task) {
        if (task.id == "x86_64/patched/bench-1")
            throw std::runtime_error("bug");
    };
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_THAT(watcher.failed, ElementsAre("x86_64/patched/bench-1"));
}

TEST_F(EngineTest, InterruptedItStopsAndKeepsWhatIsDone) {
    stages.hang = "build arm64-default-gcc baseline";
    ASSERT_EQ(run(std::chrono::milliseconds(50)).value(), EngineEnd::interrupted);
    EXPECT_THAT(stages.running, IsEmpty());
    EXPECT_EQ(watcher.out.at("build arm64-default-gcc baseline"), "interrupted");
    EXPECT_EQ(watcher.ended.size() + watcher.out.size(), tasks.size());
    EXPECT_THAT(watcher.ended, Contains("x86_64/patched/functional-1"));
}

TEST_F(EngineTest, ResultsThatCannotBeKeptStopTheRun) {
    watcher.full_disk = "build x86_64-default-gcc patched";
    const auto end = run();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "no space left");
    EXPECT_THAT(stages.running, IsEmpty());
    EXPECT_LT(stages.begun.size(), tasks.size());
}

TEST_F(EngineTest, WhatAnEarlierRunDidIsNotDoneAgain) {
    options.good = {"image x86_64", "build x86_64-default-gcc baseline",
                    "x86_64/baseline/functional-1"};
    options.bad = {"build arm64-default-gcc patched"};
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_EQ(stages.begun.size() + 4 + 3, tasks.size());
    EXPECT_EQ(std::count(stages.begun.begin(), stages.begun.end(), "x86_64/baseline/functional-1"),
              0);
    EXPECT_EQ(watcher.out.size(), 3u);
}

TEST_F(EngineTest, NothingStartsThatWouldEndAfterTheDeadline) {
    options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    options.expected_s = [](const Task& task) { return task.room == Room::alone ? 61.0 : 0.001; };
    ASSERT_EQ(run().value(), EngineEnd::out_of_time);
    EXPECT_EQ(watcher.out.size(), 8u);
    EXPECT_EQ(watcher.ended.size(), tasks.size() - 8);
}

// Each from the baseline's objects and none from another step's; after what the run is about.
TEST_F(EngineTest, StepsOfASeriesComeLast) {
    plan.boots.push_back({"x86_64/patch-1/functional", 0, Kernel::patched, std::nullopt, 1, {}, 1});
    tasks = make_tasks(matrix, plan, 2);
    EXPECT_EQ(tasks.size(), 2u + 4u + 12u + 4u + 1u);
    for (const Task& task : tasks) {
        const auto* build = std::get_if<BuildTask>(&task.work);
        if (!build || build->patches == 0)
            continue;
        ASSERT_EQ(task.after.size(), 1u);
        EXPECT_EQ(tasks[task.after[0]].id, build_task_id(build->key, Kernel::baseline));
    }
    stages.bad_build = "build x86_64-default-gcc patch-1";
    ASSERT_EQ(run().value(), EngineEnd::done);
    EXPECT_LT(place("arm64/patched/bench-2"), place("build x86_64-default-gcc patch-1"));
    EXPECT_LT(place("build x86_64-default-gcc patch-1"), place("build arm64-default-gcc patch-2"));
    EXPECT_THAT(watcher.out,
                ElementsAre(std::pair("x86_64/patch-1/functional", missing_dependency)));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/engine/engine.h"

#include <map>
#include <memory>

#include <boost/asio.hpp>

namespace kmatrix {
namespace {

namespace asio = boost::asio;

bool lets_go_on(const Result<TaskResult>& result) {
    if (!result)
        return false;
    const auto* build = std::get_if<BuildResult>(&*result);
    return !build || build->ok;
}

class Engine {
  public:
    Engine(const asio::any_io_executor& executor, const std::vector<Task>& tasks, Stages& stages,
           Watcher& watcher, EngineOptions options)
        : tasks_(tasks), stages_(stages), watcher_(watcher), options_(std::move(options)),
          schedule_(tasks, options_.capacity), changed_(executor) {}

    asio::awaitable<Result<EngineEnd>> run() {
        co_await asio::this_coro::throw_if_cancelled(false);
        note_earlier();
        for (;;) {
            start_what_may();
            if (schedule_.running() == 0)
                break;
            co_await changed();
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none) {
                co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
                stop("interrupted");
                end_ = EngineEnd::interrupted;
            }
        }
        if (failure_)
            co_return tl::unexpected(*failure_);
        co_return end_;
    }

  private:
    void note_earlier() {
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (schedule_.state(i) != TaskState::waiting)
                continue;
            if (options_.good.contains(tasks_[i].id))
                schedule_.finish(i, true);
            else if (options_.bad.contains(tasks_[i].id))
                finish(i, false);
        }
    }

    void start_what_may() {
        if (stopping_)
            return;
        while (const auto i = schedule_.next()) {
            if (!in_time(tasks_[*i])) {
                end_ = EngineEnd::out_of_time;
                tell(schedule_.leave_out(*i), "no time is left for it within the budget");
                continue;
            }
            start(*i);
        }
    }

    bool in_time(const Task& task) const {
        if (!options_.deadline)
            return true;
        const std::chrono::duration<double> expected(options_.expected_s ? options_.expected_s(task)
                                                                         : 0.0);
        return std::chrono::steady_clock::now() + expected <= *options_.deadline;
    }

    void start(std::size_t i) {
        schedule_.start(i);
        watcher_.started(tasks_[i]);
        auto& signal = running_[i] = std::make_shared<asio::cancellation_signal>();
        asio::co_spawn(
            changed_.get_executor(), stages_.run(tasks_[i]),
            asio::bind_cancellation_slot(
                signal->slot(), [this, i](std::exception_ptr thrown, Result<TaskResult> result) {
                    came_back(i, thrown, std::move(result));
                }));
    }

    void came_back(std::size_t i, const std::exception_ptr& thrown, Result<TaskResult> result) {
        running_.erase(i);
        has_changed_ = true;
        changed_.cancel();
        if (thrown) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::exception& e) {
                if (stopping_) {
                    schedule_.finish(i, false);
                    tell({i}, "interrupted");
                    return;
                }
                result = infrastructure_error(e.what());
            }
        }
        finish(i, lets_go_on(result));
        if (auto kept = watcher_.finished(tasks_[i], result); !kept && !failure_) {
            failure_ = std::move(kept.error());
            stop("its results could not be kept");
        }
    }

    void stop(const std::string& why) {
        if (stopping_)
            return;
        stopping_ = true;
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            if (schedule_.state(i) == TaskState::waiting)
                tell(schedule_.leave_out(i), why);
        for (const auto& [i, signal] : running_)
            // Later, when the task may have come back and the engine may be gone.
            asio::post(changed_.get_executor(), [weak = std::weak_ptr(signal)] {
                if (const auto task = weak.lock())
                    task->emit(asio::cancellation_type::terminal);
            });
    }

    void finish(std::size_t i, bool good) { tell(schedule_.finish(i, good), missing_dependency); }

    void tell(const std::vector<std::size_t>& left_out, const std::string& why) {
        for (const std::size_t i : left_out)
            watcher_.left_out(tasks_[i], why);
    }

    asio::awaitable<void> changed() {
        if (!has_changed_) {
            changed_.expires_at(std::chrono::steady_clock::time_point::max());
            co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
        }
        has_changed_ = false;
    }

    const std::vector<Task>& tasks_;
    Stages& stages_;
    Watcher& watcher_;
    EngineOptions options_;
    Schedule schedule_;
    asio::steady_timer changed_;
    bool has_changed_ = false;
    bool stopping_ = false;
    EngineEnd end_ = EngineEnd::done;
    std::optional<Error> failure_;
    std::map<std::size_t, std::shared_ptr<asio::cancellation_signal>> running_;
};

} // namespace

asio::awaitable<Result<EngineEnd>> run_tasks(const std::vector<Task>& tasks, Stages& stages,
                                             Watcher& watcher, EngineOptions options) {
    Engine engine(co_await asio::this_coro::executor, tasks, stages, watcher, std::move(options));
    co_return co_await engine.run();
}

} // namespace kmatrix

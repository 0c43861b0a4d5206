// SPDX-License-Identifier: GPL-2.0-only
// A hypervisor without machines: a guest is a coroutine that says what a guest would say. For
// tests.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "runner/vm/end_signal.h"
#include "runner/vm/vm.h"

namespace kmatrix {

class FakeHypervisor : public Hypervisor {
  public:
    // A guest's life: what it says, and at last how it ends. Runs as soon as it is started, and is
    // cancelled when the guest is destroyed.
    using Life = std::function<boost::asio::awaitable<GuestEnd>(GuestSpec, GuestOutput)>;

    explicit FakeHypervisor(Life life) : life_(std::move(life)) {}

    boost::asio::awaitable<Result<std::unique_ptr<Guest>>> start(GuestSpec spec,
                                                                 GuestOutput output) override {
        if (refusal)
            co_return tl::unexpected(*refusal);
        const auto executor = co_await boost::asio::this_coro::executor;
        started.push_back(spec);
        ++counts_->running;
        counts_->most = std::max(counts_->most, counts_->running);
        auto guest = std::make_unique<FakeGuest>(executor, counts_);
        guest->live(life_, std::move(spec), output);
        co_return guest;
    }

    Machine machine() const override {
        Machine machine;
        machine.qemu_version = "7.2.22";
        machine.libvirt_version = "9.0.0";
        machine.host_cpu = "Fake CPU";
        machine.host_cpus = 2;
        return machine;
    }

    std::vector<GuestSpec> started;
    std::optional<Error> refusal; // what start returns instead of a guest
    int running() const { return counts_->running; }
    int most_at_once() const { return counts_->most; }

  private:
    struct Counts {
        int running = 0;
        int most = 0;
    };

    // Outlives the guest while its life is being unwound.
    struct State {
        State(const boost::asio::any_io_executor& executor, std::shared_ptr<Counts> all)
            : end(executor), counts(std::move(all)) {}
        void over(GuestEnd how) {
            if (end.get())
                return;
            --counts->running;
            end.set(std::move(how));
        }
        void destroy() {
            over(Destroyed{});
            life.emit(boost::asio::cancellation_type::terminal);
        }
        EndSignal end;
        boost::asio::cancellation_signal life;
        std::shared_ptr<Counts> counts;
    };

    class FakeGuest : public Guest {
      public:
        FakeGuest(const boost::asio::any_io_executor& executor, std::shared_ptr<Counts> counts)
            : executor_(executor), state_(std::make_shared<State>(executor, std::move(counts))) {}
        ~FakeGuest() override { state_->destroy(); }

        void live(const Life& life, GuestSpec spec, const GuestOutput& output) {
            const auto ended = [state = state_](std::exception_ptr failure, GuestEnd end) {
                if (failure && !state->end.get())
                    std::rethrow_exception(failure);
                state->over(std::move(end));
            };
            // Nobody hears what it still says once it is destroyed.
            GuestOutput heard;
            heard.console = [state = state_, say = output.console](std::string_view bytes) {
                if (!state->end.get())
                    say(bytes);
            };
            heard.channel = [state = state_, say = output.channel](std::string_view bytes) {
                if (!state->end.get())
                    say(bytes);
            };
            boost::asio::co_spawn(executor_, life(std::move(spec), std::move(heard)),
                                  boost::asio::bind_cancellation_slot(state_->life.slot(), ended));
        }
        boost::asio::awaitable<std::optional<GuestEnd>>
        wait_end(std::chrono::steady_clock::time_point until) override {
            return state_->end.wait(until);
        }
        void nudge() override { state_->end.nudge(); }
        boost::asio::awaitable<Result<void>> destroy() override {
            state_->destroy();
            co_return Result<void>();
        }
        double cpu_s() const override { return 0; }

      private:
        boost::asio::any_io_executor executor_;
        std::shared_ptr<State> state_;
    };

    Life life_;
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

// For a guest's life: time passes.
inline boost::asio::awaitable<void> pass(std::chrono::milliseconds time) {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, time);
    co_await timer.async_wait(boost::asio::use_awaitable);
}

} // namespace kmatrix

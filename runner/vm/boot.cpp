// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/boot.h"

#include <cassert>
#include <utility>
#include <variant>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "base/text.h"
#include "runner/vm/capped_log.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
using Clock = BootWatch::Clock;

constexpr std::size_t tail_lines = 40;

template <class... Cases>
struct Visitor : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

// One of a guest's streams: into its log, and to who listens.
struct Stream {
    CappedLog log;
    Result<void> written = {};

    void write(std::string_view bytes) {
        if (auto result = log.write(bytes); !result && written)
            written = std::move(result);
    }
    Result<void> finish() {
        if (!written)
            return written;
        return log.finish();
    }
};

struct Listening {
    BootListener listener;
    Stream console, channel;
    BootWatch watch;
    Guest* guest = nullptr; // once it runs

    GuestOutput output() {
        return {[this](std::string_view bytes) {
                    console.write(bytes);
                    listener.console(bytes);
                    watch.heard_console(Clock::now());
                },
                [this](std::string_view bytes) {
                    channel.write(bytes);
                    const Clock::time_point before = watch.next();
                    watch.heard_channel(Clock::now(), listener.channel(bytes));
                    if (guest &&
                        watch.next() < before) // the agent is done, or its next job is short
                        guest->nudge();
                }};
    }
};

bool is_cancelled(const asio::cancellation_state& state) {
    return state.cancelled() != asio::cancellation_type::none;
}

[[noreturn]] void throw_cancelled() {
    throw boost::system::system_error(asio::error::operation_aborted);
}

// Until the guest's end or the first limit; what passed.
asio::awaitable<std::optional<BootOutcome>> watch_over(Guest& guest, const BootWatch& watch) {
    for (;;) {
        if (co_await guest.wait_end(watch.next()))
            co_return std::nullopt;
        if (is_cancelled(co_await asio::this_coro::cancellation_state))
            co_return std::nullopt;
        if (auto limit = watch.passed(Clock::now()))
            co_return limit;
    }
}

asio::awaitable<Result<BootEnd>> run(Hypervisor& hypervisor, BootSpec spec, BootListener listener) {
    auto console = CappedLog::create(spec.console, spec.log_limit_bytes);
    if (!console)
        co_return tl::unexpected(console.error());
    auto channel = CappedLog::create(spec.channel, spec.log_limit_bytes);
    if (!channel)
        co_return tl::unexpected(channel.error());
    Listening listening{std::move(listener),
                        {std::move(*console)},
                        {std::move(*channel)},
                        BootWatch(spec.limits, Clock::now())};

    auto guest = co_await hypervisor.start(std::move(spec.guest), listening.output());
    if (!guest)
        co_return tl::unexpected(std::move(guest.error()));
    const Clock::time_point power_on = Clock::now();
    listening.watch.powered_on(power_on);
    listening.guest = guest->get();

    const auto limit = co_await watch_over(**guest, listening.watch);
    if (auto destroyed = co_await (*guest)->destroy(); !destroyed)
        co_return tl::unexpected(std::move(destroyed.error()));
    if (is_cancelled(co_await asio::this_coro::cancellation_state))
        throw_cancelled();
    const auto end = co_await (*guest)->wait_end(Clock::now());
    assert(end);

    for (Stream* stream : {&listening.console, &listening.channel})
        if (auto finished = stream->finish(); !finished)
            co_return tl::unexpected(std::move(finished.error()));
    auto outcome = judge(*end, limit, listening.watch.agent(), listening.listener.panic_title());
    if (!outcome)
        co_return tl::unexpected(std::move(outcome.error()));
    co_return BootEnd{std::move(*outcome), listening.watch.first_word_s(),
                      std::chrono::duration<double>(Clock::now() - power_on).count(),
                      (*guest)->cpu_s(),
                      last_lines(printable(listening.console.log.recent()), tail_lines)};
}

} // namespace

Result<BootOutcome> judge(const GuestEnd& end, const std::optional<BootOutcome>& limit,
                          const AgentState& agent, const std::string& panic_title) {
    using Outcome = Result<BootOutcome>;
    const auto unless_panicked = [&](BootOutcome otherwise) -> Outcome {
        return panic_title.empty() ? otherwise : BootOutcome(Panicked{panic_title});
    };
    return std::visit(
        Visitor{
            [&](const PoweredOff&) -> Outcome {
                if (agent.done)
                    return BootOutcome(Completed{});
                return unless_panicked(AgentLost{agent.last_record});
            },
            [&](const Crashed&) -> Outcome {
                return BootOutcome(Panicked{panic_title.empty()
                                                ? "the kernel reported a panic, of which the "
                                                  "console shows nothing"
                                                : panic_title});
            },
            [&](const Rebooted&) { return unless_panicked(Reset{}); },
            [&](const Destroyed&) -> Outcome {
                if (limit)
                    return unless_panicked(*limit);
                return infrastructure_error("the virtual machine was destroyed by another program");
            },
            [&](const Died& died) -> Outcome {
                return tl::unexpected(Error{
                    Blame::infrastructure, "the virtual machine died: " + died.what, died.log, {}});
            },
        },
        end);
}

asio::awaitable<Result<BootEnd>> run_boot(Hypervisor& hypervisor, BootSpec spec,
                                          BootListener listener) {
    // A guest is to be killed before the cancellation goes on its way up.
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    if (is_cancelled(co_await asio::this_coro::cancellation_state))
        throw_cancelled();
    auto end = co_await run(hypervisor, std::move(spec), std::move(listener));
    co_await asio::this_coro::throw_if_cancelled(throws);
    co_return end;
}

} // namespace kmatrix

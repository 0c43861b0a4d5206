// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/boot_watch.h"

#include <algorithm>

namespace kmatrix {
namespace {

double seconds(BootWatch::Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

} // namespace

BootWatch::BootWatch(const Deadlines& limits, Clock::time_point power_on)
    : limits_(limits), power_on_(power_on), last_heard_(power_on), job_began_(power_on) {}

void BootWatch::powered_on(Clock::time_point now) {
    power_on_ = now;
    last_heard_ = std::max(last_heard_, now);
}

void BootWatch::heard_console(Clock::time_point now) {
    heard_ = true;
    last_heard_ = now;
}

void BootWatch::heard_channel(Clock::time_point now, const AgentState& agent) {
    heard_ = true;
    last_heard_ = now;
    if (agent.job != agent_.job)
        job_began_ = now;
    agent_ = agent;
    if (agent.spoke && !first_word_)
        first_word_ = now;
    if (agent.done && !done_)
        done_ = now;
}

BootWatch::Limit BootWatch::limit() const {
    const Clock::time_point total = power_on_ + limits_.total;
    if (!first_word_) {
        const Clock::time_point silence = last_heard_ + limits_.boot_silence;
        return {std::min({power_on_ + limits_.boot, silence, total}), limits_.boot_silence};
    }
    if (done_)
        return {*done_ + limits_.shutdown, Clock::duration::zero()};
    if (agent_.job.empty())
        return {std::min(last_heard_ + limits_.idle_silence, total), limits_.idle_silence};
    if (agent_.job_limit_s <= 0)
        return {total, limits_.idle_silence};
    // The agent kills a job at its limit and says so. Had it lived, it would have been heard within
    // the slack.
    const auto job = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(agent_.job_limit_s));
    return {std::min(job_began_ + job + limits_.job_slack, total), limits_.job_slack};
}

BootWatch::Clock::time_point BootWatch::next() const {
    return limit().at;
}

std::optional<BootOutcome> BootWatch::passed(Clock::time_point now) const {
    const Limit passing = limit();
    if (now < passing.at)
        return std::nullopt;
    const Clock::duration silent = now - last_heard_;
    if (heard_ && silent >= passing.quiet)
        return Hung{seconds(silent)};
    if (!first_word_)
        return NeverBooted{seconds(now - power_on_)};
    return DeadlinePassed{seconds(now - power_on_)};
}

double BootWatch::first_word_s() const {
    return first_word_ ? seconds(*first_word_ - power_on_) : 0;
}

} // namespace kmatrix

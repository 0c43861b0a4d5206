// SPDX-License-Identifier: GPL-2.0-only
// The clock of a boot: what the guest has said and when, against its deadlines. Pure; the times are
// given to it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "results/model.h"
#include "runner/vm/deadlines.h"

namespace kmatrix {

// How far the agent has come, as far as deadlines and the outcome depend on it.
struct AgentState {
    bool spoke = false;           // its hello is here
    bool done = false;            // its last record is here
    std::string job = {};         // that runs now; empty: none
    double job_limit_s = 0;       // of that; 0: none
    std::string last_record = {}; // the last that came whole, for a person
};

class BootWatch {
  public:
    using Clock = std::chrono::steady_clock;

    BootWatch(const Deadlines& limits, Clock::time_point power_on);

    // Later than was thought: starting the machine took its time.
    void powered_on(Clock::time_point now);
    void heard_console(Clock::time_point now);
    void heard_channel(Clock::time_point now, const AgentState& agent);

    // When the next limit passes if nothing is heard until then.
    Clock::time_point next() const;
    // The outcome, if a limit has passed at `now`. A guest that has been silent for long when it
    // passes is hung; one that never said anything has never booted.
    std::optional<BootOutcome> passed(Clock::time_point now) const;

    const AgentState& agent() const { return agent_; }
    // From power-on to the agent's hello; 0: not yet.
    double first_word_s() const;

  private:
    struct Limit {
        Clock::time_point at;
        Clock::duration quiet; // silence that makes it a hang
    };
    Limit limit() const;

    Deadlines limits_;
    Clock::time_point power_on_;
    Clock::time_point last_heard_;
    Clock::time_point job_began_;
    std::optional<Clock::time_point> first_word_, done_;
    bool heard_ = false;
    AgentState agent_;
};

} // namespace kmatrix

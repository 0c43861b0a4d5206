// SPDX-License-Identifier: GPL-2.0-only
// One boot, from power-on to its outcome.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "results/model.h"
#include "runner/vm/boot_watch.h"
#include "runner/vm/deadlines.h"
#include "runner/vm/vm.h"

namespace kmatrix {

struct BootSpec {
    GuestSpec guest;
    Deadlines limits;
    std::filesystem::path console; // logs, made anew
    std::filesystem::path channel;
    std::uint64_t log_limit_bytes = 64u << 20; // of each; what follows is read and dropped
};

// Those who understand what a guest says. They get every byte, also what the logs have no room for.
struct BootListener {
    std::function<void(std::string_view)> console;
    // Returns how far the agent has come.
    std::function<AgentState(std::string_view)> channel;
    // Asked when the guest has ended: what the console says of a panic; empty: nothing.
    std::function<std::string()> panic_title;
};

struct BootEnd {
    BootOutcome outcome;
    double first_word_s = 0;  // from power-on to the agent's hello; 0: never
    double seconds = 0;       // from power-on to the end
    double cpu_s = 0;         // that the emulator used
    std::string console_tail; // the last 40 lines, printable
};

// How a boot ended, of all that is known when it has: the guest's end, the limit that passed if one
// did, and what was heard. An emulator that died is an Error.
Result<BootOutcome> judge(const GuestEnd& end, const std::optional<BootOutcome>& limit,
                          const AgentState& agent, const std::string& panic_title);

// Starts the guest, listens until it has ended or a limit has passed, and kills it then. Judges
// only when all that it said is read. Errors: the hypervisor's; a log that cannot be written (said
// when the guest has ended). Cancelled, it kills the guest and throws operation_aborted.
boost::asio::awaitable<Result<BootEnd>> run_boot(Hypervisor& hypervisor, BootSpec spec,
                                                 BootListener listener);

} // namespace kmatrix

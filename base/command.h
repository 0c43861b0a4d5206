// SPDX-License-Identifier: GPL-2.0-only
// One subprocess: argv (never a shell line), in a process group of its own, dead when kmatrix dies,
// its output in a file and, line by line, with the caller.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"

namespace kmatrix {

struct Command {
    std::vector<std::string> argv; // argv[0] is looked up in PATH
    std::filesystem::path cwd;     // empty: the caller's
    // "NAME=value" put over the caller's environment; clean_environment starts from nothing but
    // PATH.
    std::vector<std::string> environment;
    bool clean_environment = false;
    std::string input;         // given on stdin; nothing: /dev/null
    std::filesystem::path log; // stdout and stderr as one, in the order written, appended
    std::uint64_t log_limit_bytes = 256u << 20; // output beyond it is read and dropped, and said so
    std::chrono::seconds timeout{0};            // 0: none
    std::function<void(std::string_view)> on_line = {}; // each line of the output, without newline
    // Asked each second while it runs; once it has words, they are why the command is killed.
    std::function<std::string()> objection = {};
};

struct Exit {
    int status = 0;         // exit status, or 128 + signal as a shell says it
    int signal = 0;         // the signal that ended it, or 0
    bool timed_out = false; // it was killed at its timeout
    std::string objection;  // why it was killed before that
    double elapsed_s = 0;
    double cpu_s = 0;   // of it and of all processes that were waited for; 0 for a cancelled one
    std::string output; // the first 16 MiB of stdout; of both where they go to a log
    std::string tail;   // the last 4 KiB of stdout and stderr together

    bool ok() const { return status == 0 && signal == 0 && !timed_out && objection.empty(); }
};

// Runs the command on the caller's executor (one thread at a time). A timeout and cancellation kill
// the whole group with SIGKILL and wait for it; a cancelled run then throws asio's
// operation_aborted, as asio's own operations do. Errors: the program cannot be started, the log
// cannot be written (that kills the command too). A program that exits non-zero is an Exit, not an
// Error.
boost::asio::awaitable<Result<Exit>> run(Command command);

// What the command printed on its standard output. A program that exits non-zero is an Error here,
// as failed() makes it.
boost::asio::awaitable<Result<std::string>> output_of(Command command);

// The same as run(), blocking; for places without an event loop (tests, probes, git plumbing).
Result<Exit> run_blocking(Command command);

// An Error that names the command, its exit, its last lines and its log.
Error failed(const Command& command, const Exit& exit);

// The command as a person may paste it into a shell, quoted where it needs to be.
std::string shell_text(const std::vector<std::string>& argv);

} // namespace kmatrix

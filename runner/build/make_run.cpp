// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/make_run.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/build/build_log.h"
#include "runner/build/limits.h"
#include "runner/build/syscall_filter.h"

namespace kmatrix {
namespace asio = boost::asio;

asio::awaitable<Result<Exit>> run_make(MakeRun make) {
    // Output of one target stays together, so that a message's lines do.
    std::vector<std::string> words = {"make",
                                      "-C",
                                      make.directory,
                                      "--no-print-directory",
                                      "--output-sync=target",
                                      fmt::format("-j{}", make.jobs)};
    const auto add = [&](const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    add(make.options);
    add(make.variables);
    add(make.targets);

    const auto filter = syscall_filter();
    if (!filter)
        co_return tl::unexpected(filter.error());
    const BuildLimits& limits = make.sandbox.limits;
    const std::uint64_t floor_bytes = limits.disk_floor_bytes;
    const std::filesystem::path output = make.sandbox.output;
    if (const std::string full = disk_objection(output, floor_bytes); !full.empty())
        co_return infrastructure_error("no build was started: " + full);
    const BuildGroup group = BuildGroup::make(limits);

    Command command;
    command.argv =
        entering(group.door(), *filter,
                 in_layers(make.layers, ::geteuid() == 0, sandbox_argv(make.sandbox, words)));
    // bubblewrap's own process is in the sandbox, too, where /proc/1/environ shows what it was
    // given.
    command.clean_environment = true;
    command.objection = [output, floor_bytes] { return disk_objection(output, floor_bytes); };
    command.log = make.log;
    command.timeout = make_time_limit;
    command.on_line = std::move(make.on_line);
    co_return co_await run(std::move(command));
}

Result<std::string> failure_words(const Exit& exit, const std::filesystem::path& log) {
    if (exit.timed_out)
        return fmt::format("make did not end within {} hours", make_time_limit.count());
    if (!exit.objection.empty())
        return tl::unexpected(Error{Blame::infrastructure, "a build was stopped: " + exit.objection,
                                    last_lines(printable(exit.tail), 20), log});
    const auto text = read_file(log);
    if (!text)
        return tl::unexpected(text.error());
    if (exit.signal)
        return tl::unexpected(Error{Blame::infrastructure,
                                    fmt::format("make was killed by signal {}", exit.signal),
                                    last_lines(printable(exit.tail), 20), log});
    if (const auto why = machine_failure(*text))
        return tl::unexpected(Error{Blame::infrastructure,
                                    "a build failed for a reason of this machine: " + *why,
                                    last_lines(printable(exit.tail), 20), log});
    return first_error(*text);
}

} // namespace kmatrix

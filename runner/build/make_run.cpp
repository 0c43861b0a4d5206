// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/make_run.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/build/build_log.h"

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

    Command command;
    command.argv = in_layers(make.layers, ::geteuid() == 0, sandbox_argv(make.sandbox, words));
    command.log = make.log;
    command.timeout = make_time_limit;
    command.on_line = std::move(make.on_line);
    co_return co_await run(std::move(command));
}

Result<std::string> failure_words(const Exit& exit, const std::filesystem::path& log) {
    if (exit.timed_out)
        return fmt::format("make did not end within {} hours", make_time_limit.count());
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

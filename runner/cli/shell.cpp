// SPDX-License-Identifier: GPL-2.0-only
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include "runner/cli/verbs.h"
#include "runner/host.h"
#include "runner/run/shell.h"

namespace kmatrix {
namespace {

int give_prompt(const ShellRequest& request, bool print) {
    const auto command = shell_command(request);
    if (!command)
        return fail(command.error());
    if (print) {
        fmt::print("{}\n", *command);
        return 0;
    }
    fmt::print(stderr, "Ctrl-A X ends QEMU; poweroff -f ends the guest.\n");
    std::fflush(nullptr);
    // QEMU takes kmatrix's place on the terminal.
    ::execl("/bin/sh", "sh", "-c", ("exec " + *command).c_str(), nullptr);
    return fail(
        Error{Blame::infrastructure, fmt::format("/bin/sh: {}", std::strerror(errno)), {}, {}});
}

} // namespace

void add_shell(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("shell", "Boot a kernel of a run, as that run did, and "
                                                 "give a prompt in it");
    auto request = std::make_shared<ShellRequest>();
    auto print = std::make_shared<bool>(false);
    request->jobs = host_cpus();
    verb->add_option("DIR", request->directory, "The run's directory")->required();
    verb->add_option("CELL", request->cell, "The cell's id; may be left out where there is one");
    auto baseline = std::make_shared<bool>(false);
    verb->add_flag("--baseline", *baseline, "The baseline instead of the patched kernel");
    verb->add_flag("--print", *print, "Print QEMU's command, and run nothing");
    add_examples(*verb, "  kmatrix shell kmatrix-runs/20260101-120000 arm64-default-8cpu-gcc\n"
                        "  kmatrix shell --baseline DIR\n"
                        "  cd /selftests/patched/proc && ./proc-maps-race    (in the guest)");
    verb->callback([=, &action] {
        action = [=] {
            request->kernel = *baseline ? Kernel::baseline : Kernel::patched;
            return give_prompt(*request, *print);
        };
    });
}

} // namespace kmatrix

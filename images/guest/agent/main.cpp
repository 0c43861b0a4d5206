// SPDX-License-Identifier: GPL-2.0-only
// kmatrix-agent: the guest's init. Runs the jobs of the plan and tells the host about them, as
// images/protocol.h says, then powers off. It never just ends, because that is a kernel panic, and
// would be taken for the kernel's fault.
//
// `kmatrix-agent --as-user PLAN OUT` is for tests: runs a plan as an ordinary process, and writes
// the records to a file.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "images/guest/agent/channel.h"
#include "images/guest/agent/machine.h"
#include "images/guest/agent/records.h"
#include "images/guest/agent/run_plan.h"
#include "images/protocol.h"

namespace kmatrix::guest {
namespace {

using namespace std::chrono_literals;

// Long, because an emulated machine with many CPUs finds its devices late.
constexpr auto port_limit = 60s;
// For a host that does not read.
constexpr auto flush_limit = 60s;

void run_as_init() {
    prepare_console();
    if (write(STDOUT_FILENO, protocol::console_marker, std::strlen(protocol::console_marker)) < 0 ||
        write(STDOUT_FILENO, "\n", 1) < 0) {
        // No console: the port says that the agent is there.
    }
    const auto failed = mount_file_systems();
    for (const auto& message : failed) {
        say_on_console(message.c_str());
    }
    install_busybox();
    if (shell_is_asked_for()) {
        become_shell();
    }
    auto port = open_port(protocol::port_name, port_limit);
    if (!port) {
        say_on_console(port.error().c_str());
        return;
    }
    Channel channel(std::move(*port));
    try {
        const std::string error =
            run_plan(read_file(protocol::plan_path), {.notes = failed}, channel);
        if (!error.empty()) {
            say_on_console(error.c_str());
        }
    } catch (const std::exception& error) {
        say_on_console(error.what());
        channel.send(error_record(error.what()));
    }
    if (!channel.flush(flush_limit)) {
        say_on_console(channel.error().empty() ? "the host does not read what is left to say"
                                               : channel.error().c_str());
    }
}

int run_as_user(const char* plan, const char* out) {
    Channel channel(Fd(open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)));
    const std::string error = run_plan(read_file(plan), {.set_sysctls = false}, channel);
    if (!channel.flush(flush_limit) || !error.empty()) {
        std::fprintf(stderr, "kmatrix-agent: %s %s\n", error.c_str(), channel.error().c_str());
        return 1;
    }
    return 0;
}

} // namespace
} // namespace kmatrix::guest

int main(int argc, char** argv) {
    using namespace kmatrix::guest;
    signal(SIGPIPE, SIG_IGN);
    if (argc == 4 && std::strcmp(argv[1], "--as-user") == 0) {
        return run_as_user(argv[2], argv[3]);
    }
    if (getpid() != 1) {
        std::fprintf(stderr, "kmatrix-agent is the init of kmatrix's guests, no command\n");
        return 2;
    }
    catch_own_crashes();
    try {
        run_as_init();
    } catch (const std::exception& error) {
        say_on_console(error.what());
    }
    power_off();
}

// SPDX-License-Identifier: GPL-2.0-only
// What only init does: the machine's file systems, its console, its port to the host, its end.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "images/guest/agent/files.h"
#include "images/guest/agent/plan.h"

namespace kmatrix::guest {

// Mounts /dev, and makes /dev/console stdin, stdout and stderr.
void prepare_console();

// A line on the console, with the agent's name before it. Works in a signal handler.
void say_on_console(const char* message);

// Mounts proc, sysfs, devpts, tmpfs on /tmp, /dev/shm and /run, and what tests look for where the
// kernel has it (debugfs, tracefs, securityfs, cgroup2). Returns what failed of the first kind.
std::vector<std::string> mount_file_systems();

// busybox's applets as links in /bin, if there is a busybox.
void install_busybox();

bool shell_is_asked_for();
[[noreturn]] void become_shell();

// The descriptor of the virtio-serial port of that name, for writing, not blocking. The kernel may
// find it a little after init has started.
Expected<Fd> open_port(const std::string& name, std::chrono::milliseconds limit);

// "kernel.hung_task_timeout_secs" = "420", in /proc/sys. Returns a message for each that fails.
std::vector<std::string>
set_sysctls(const std::vector<std::pair<std::string, std::string>>& sysctls);

// Syncs and powers off. If the machine cannot be powered off: says so, and waits for ever, because
// an init that ends is a panic.
[[noreturn]] void power_off();

// From here on a crash of the agent is said on the console and powers off.
void catch_own_crashes();

} // namespace kmatrix::guest

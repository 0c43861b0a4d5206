// SPDX-License-Identifier: GPL-2.0-only
// Emulator processes that kmatrix's guests run in, as /proc shows them. libvirt starts each in a
// session of its own, so that it outlives even the SIGKILL of kmatrix; the guest's name, which is
// on the emulator's command line, says whose it is, and that is how it is found and killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace kmatrix {

// A process, for good: its id, and its start time in clock ticks after the host's boot
// (/proc/PID/stat, field 22), which tells it from a later one with the same id.
struct Owner {
    pid_t pid = 0;
    std::uint64_t start_ticks = 0;

    bool operator==(const Owner&) const = default;
};

// Nothing: there is none with this id, or it is a zombie.
std::optional<Owner> process(pid_t pid);
Owner this_process();
// Whether that process still runs. A zombie does not.
bool alive(const Owner& owner);

// "kmatrix-PID-START-NUMBER", a domain's name.
std::string guest_name(const Owner& owner, int number);
// Whose domain a name is; nothing: not one of kmatrix's.
std::optional<Owner> owner_in_name(std::string_view name);
// The guest that the emulator with this command line (as /proc/PID/cmdline has it: every argument
// ended by a NUL) runs, of QEMU's `-name guest=NAME,...`. Empty: it is no emulator.
std::string_view guest_in_arguments(std::string_view cmdline);

// Kills with SIGKILL every emulator of a guest whose owner `wanted` picks, and returns how many
// there were. Those that may not be killed are not counted.
int kill_guests(const std::function<bool(const Owner&)>& wanted);

// Kills the emulator of this guest. False: there is none that may be killed.
bool kill_guest(std::string_view name);

// The emulator of this guest; nothing: it is gone, or in another PID namespace.
std::optional<Owner> emulator_of(std::string_view name);
// CPU time that a process has used, with all its threads (proc(5), stat's utime and stime);
// nothing: it is gone.
std::optional<double> cpu_s(const Owner& process);

// Kills what dead kmatrix processes left running in this PID namespace.
int sweep_guests();

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What the agent can tell of the machine and the kernel that it finds itself in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix::guest {

// As results/model.h has it, which says what each value means.
struct Vitals {
    int vcpus_online = 0;
    std::int64_t memory_kib = 0;
    std::string release;
    std::string machine;
    std::string cmdline;
    std::string clocksource;
    std::string preemption = "unknown";
    int hz = 0;
    std::int64_t page_size_bytes = 0;
    std::vector<std::string> mitigations;
};

// Reads /proc, /sys and, with busybox, /proc/config.gz. What cannot be told stays as it is above.
Vitals gather_vitals();

// MemTotal of /proc/meminfo; 0 if it is not there.
std::int64_t memory_kib_of(std::string_view meminfo);

// CONFIG_HZ of a kernel's .config; 0 if it is not there.
int hz_of(std::string_view config);

// "none", "voluntary", "full", "lazy", "rt" or "unknown", from whatever of these is not empty:
// /sys/kernel/debug/sched/preempt ("none voluntary (full)"), the .config, the command line
// (preempt=...), and uname -v. Kconfig: kernel/Kconfig.preempt.
std::string preemption_of(std::string_view debugfs, std::string_view config,
                          std::string_view cmdline, std::string_view uname_version);

} // namespace kmatrix::guest

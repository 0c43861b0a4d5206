// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/vitals.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <thread>

#include "images/guest/agent/files.h"
#include "images/guest/agent/processes.h"

namespace kmatrix::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\n";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The rest of the first line that begins so; empty if there is none.
std::string_view value_after(std::string_view text, std::string_view start) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        if (line.starts_with(start)) {
            return trimmed(line.substr(start.size()));
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return {};
}

template <class Number>
Number number_of(std::string_view text) {
    Number value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string word_of_cmdline(std::string_view cmdline, std::string_view start) {
    std::string found; // the last one counts, as it does in the kernel
    while (!cmdline.empty()) {
        const auto end = cmdline.find_first_of(blanks);
        const auto word = cmdline.substr(0, end);
        if (word.starts_with(start)) {
            found = word.substr(start.size());
        }
        cmdline.remove_prefix(end == std::string_view::npos ? cmdline.size() : end + 1);
    }
    return found;
}

// x86 starts with tsc-early and goes over to another one a second or so later, when it has measured
// it; what is run afterwards runs with that one.
std::string settled_clocksource() {
    using namespace std::chrono_literals;
    const char* const file = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    const auto deadline = std::chrono::steady_clock::now() + 2s;
    std::string name(trimmed(read_file(file)));
    while (name == "tsc-early" && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(20ms);
        name = trimmed(read_file(file));
    }
    return name;
}

std::vector<std::string> mitigations() {
    std::vector<std::string> lines;
    std::error_code error;
    for (const auto& entry :
         fs::directory_iterator("/sys/devices/system/cpu/vulnerabilities", error)) {
        const auto text = read_file(entry.path());
        lines.push_back(entry.path().filename().string() + ": " + std::string(trimmed(text)));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

} // namespace

std::int64_t memory_kib_of(std::string_view meminfo) {
    return number_of<std::int64_t>(value_after(meminfo, "MemTotal:"));
}

int hz_of(std::string_view config) {
    return number_of<int>(value_after(config, "CONFIG_HZ="));
}

std::string preemption_of(std::string_view debugfs, std::string_view config,
                          std::string_view cmdline, std::string_view uname_version) {
    const auto open = debugfs.find('(');
    const auto close = debugfs.find(')');
    if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
        return std::string(debugfs.substr(open + 1, close - open - 1));
    }
    const auto set = [&](std::string_view symbol) { return value_after(config, symbol) == "y"; };
    if (set("CONFIG_PREEMPT_RT=") || uname_version.find("PREEMPT_RT") != std::string_view::npos) {
        return "rt";
    }
    if (const auto asked = word_of_cmdline(cmdline, "preempt=");
        set("CONFIG_PREEMPT_DYNAMIC=") && !asked.empty()) {
        return asked;
    }
    if (set("CONFIG_PREEMPT_NONE=")) {
        return "none";
    }
    if (set("CONFIG_PREEMPT_VOLUNTARY=")) {
        return "voluntary";
    }
    if (set("CONFIG_PREEMPT=")) {
        return "full";
    }
    if (set("CONFIG_PREEMPT_LAZY=")) {
        return "lazy";
    }
    return "unknown";
}

Vitals gather_vitals() {
    Vitals vitals;
    utsname name{};
    uname(&name);
    const std::string config = fs::exists("/proc/config.gz")
                                   ? output_of({"/bin/busybox", "zcat", "/proc/config.gz"})
                                   : std::string();
    vitals.vcpus_online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    vitals.memory_kib = memory_kib_of(read_file("/proc/meminfo"));
    vitals.release = name.release;
    vitals.machine = name.machine;
    vitals.cmdline = trimmed(read_file("/proc/cmdline"));
    vitals.clocksource = settled_clocksource();
    vitals.preemption = preemption_of(read_file("/sys/kernel/debug/sched/preempt"), config,
                                      vitals.cmdline, name.version);
    vitals.hz = hz_of(config);
    vitals.page_size_bytes = sysconf(_SC_PAGESIZE);
    vitals.mitigations = mitigations();
    return vitals;
}

} // namespace kmatrix::guest

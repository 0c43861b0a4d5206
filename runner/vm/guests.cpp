// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/guests.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view name_start = "kmatrix-";

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Stat {
    char state = 'X';
    std::uint64_t start_ticks = 0;
    std::uint64_t cpu_ticks = 0; // user and system
};

// proc(5): "PID (COMM) STATE ...", where COMM may hold anything, parentheses too.
std::optional<Stat> stat_of(pid_t pid) {
    const std::string text = content(fmt::format("/proc/{}/stat", pid));
    const std::size_t after_comm = text.rfind(") ");
    if (after_comm == std::string::npos)
        return std::nullopt;
    const std::vector<std::string> fields = split(text.substr(after_comm + 2), ' ');
    // `fields` begins with the third.
    constexpr std::size_t user_field = 14 - 3, system_field = 15 - 3, start_field = 22 - 3;
    if (fields.size() <= start_field || fields[0].empty())
        return std::nullopt;
    const auto ticks = number<std::uint64_t>(fields[start_field]);
    const auto user = number<std::uint64_t>(fields[user_field]);
    const auto system = number<std::uint64_t>(fields[system_field]);
    if (!ticks || !user || !system)
        return std::nullopt;
    return Stat{fields[0][0], *ticks, *user + *system};
}

std::string pid_namespace(const std::string& pid) {
    std::error_code error;
    return fs::read_symlink("/proc/" + pid + "/ns/pid", error).string();
}

std::string guest_of(const std::string& pid) {
    const std::string arguments = content("/proc/" + pid + "/cmdline");
    return std::string(guest_in_arguments(arguments));
}

// Through a pidfd, and looked at again when that is open, so that no other process is hit that got
// the same id in between.
bool kill_emulator(const std::string& pid, const std::string& guest) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, number<pid_t>(pid).value_or(-1), 0));
    if (fd < 0)
        return false;
    const bool killed =
        guest_of(pid) == guest && ::syscall(SYS_pidfd_send_signal, fd, SIGKILL, nullptr, 0) == 0;
    ::close(fd);
    return killed;
}

struct Emulator {
    std::string pid, guest;
};

std::vector<Emulator> emulators() {
    std::vector<Emulator> all;
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        std::string pid = entry->path().filename();
        if (!number<pid_t>(pid))
            continue;
        std::string guest = guest_of(pid);
        if (!guest.empty())
            all.push_back({std::move(pid), std::move(guest)});
    }
    return all;
}

int kill_if(const std::function<bool(const std::string& pid, const std::string& guest)>& wanted) {
    int killed = 0;
    for (const auto& [pid, guest] : emulators())
        if (wanted(pid, guest) && kill_emulator(pid, guest))
            ++killed;
    return killed;
}

} // namespace

std::optional<Owner> process(pid_t pid) {
    const auto stat = stat_of(pid);
    if (!stat || stat->state == 'Z' || stat->state == 'X')
        return std::nullopt;
    return Owner{pid, stat->start_ticks};
}

Owner this_process() {
    return process(::getpid()).value_or(Owner{::getpid(), 0});
}

bool alive(const Owner& owner) {
    return process(owner.pid) == owner;
}

std::string guest_name(const Owner& owner, int number) {
    return fmt::format("{}{}-{}-{}", name_start, owner.pid, owner.start_ticks, number);
}

std::optional<Owner> owner_in_name(std::string_view name) {
    if (!name.starts_with(name_start))
        return std::nullopt;
    const std::vector<std::string> parts = split(name.substr(name_start.size()), '-');
    if (parts.size() != 3 || !number<int>(parts[2]))
        return std::nullopt;
    const auto pid = number<pid_t>(parts[0]);
    const auto ticks = number<std::uint64_t>(parts[1]);
    if (!pid || *pid <= 0 || !ticks)
        return std::nullopt;
    return Owner{*pid, *ticks};
}

std::string_view guest_in_arguments(std::string_view cmdline) {
    constexpr std::string_view option = "-name", key = "guest=";
    bool is_value = false;
    while (!cmdline.empty()) {
        const std::size_t end = std::min(cmdline.find('\0'), cmdline.size());
        const std::string_view argument = cmdline.substr(0, end);
        if (is_value && argument.starts_with(key))
            return argument.substr(key.size(), argument.find(',') - key.size());
        is_value = argument == option;
        cmdline.remove_prefix(std::min(end + 1, cmdline.size()));
    }
    return {};
}

std::optional<Owner> emulator_of(std::string_view name) {
    for (const auto& [pid, guest] : emulators())
        if (guest == name)
            return process(number<pid_t>(pid).value_or(0));
    return std::nullopt;
}

std::optional<double> cpu_s(const Owner& owner) {
    const auto stat = stat_of(owner.pid);
    if (!stat || stat->start_ticks != owner.start_ticks)
        return std::nullopt;
    return static_cast<double>(stat->cpu_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

int kill_guests(const std::function<bool(const Owner&)>& wanted) {
    return kill_if([&](const std::string&, const std::string& guest) {
        const auto owner = owner_in_name(guest);
        return owner && wanted(*owner);
    });
}

bool kill_guest(std::string_view name) {
    return kill_if([&](const std::string&, const std::string& guest) { return guest == name; }) > 0;
}

int sweep_guests() {
    // In another PID namespace the owner's id means another process, or none.
    const std::string ours = pid_namespace("self");
    return kill_if([&](const std::string& pid, const std::string& guest) {
        const auto owner = owner_in_name(guest);
        return owner && !alive(*owner) && pid_namespace(pid) == ours;
    });
}

} // namespace kmatrix

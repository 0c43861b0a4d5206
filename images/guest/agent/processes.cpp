// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <map>

namespace kmatrix::guest {
namespace {

std::atomic<int> watch_fd{-1};

void on_sigchld(int) {
    const int saved = errno;
    const char byte = 0;
    if (write(watch_fd.load(), &byte, 1) < 0) {
        errno = saved; // the pipe is full: readable as it is
    }
    errno = saved;
}

struct Process {
    pid_t parent = 0;
    char state = '?';
    std::string name;
};

// From /proc/PID/stat: "pid (name) state parent ..."; the name may hold anything, so look from the
// end (proc_pid_stat(5)).
std::optional<Process> parse_stat(const std::string& text) {
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close + 4 >= text.size()) {
        return std::nullopt;
    }
    Process process;
    process.name = text.substr(open + 1, close - open - 1);
    process.state = text[close + 2];
    std::from_chars(text.data() + close + 4, text.data() + text.size(), process.parent);
    return process;
}

std::map<pid_t, Process> all_processes() {
    std::map<pid_t, Process> processes;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (bad != std::errc() || end != name.data() + name.size()) {
            continue;
        }
        if (auto process = parse_stat(read_file(entry.path() / "stat"))) {
            processes.emplace(pid, std::move(*process));
        }
    }
    return processes;
}

std::map<pid_t, Process> living_below() {
    const auto all = all_processes();
    const pid_t self = getpid();
    std::map<pid_t, Process> below;
    for (const auto& [pid, process] : all) {
        auto above = all.find(process.parent);
        // The bound is for a picture that is no tree, because processes came and went meanwhile.
        for (std::size_t depth = 0;
             above != all.end() && above->first != self && depth < all.size(); ++depth) {
            above = all.find(above->second.parent);
        }
        if (above != all.end() && above->first == self && process.state != 'Z' &&
            process.state != 'X') {
            below.emplace(pid, process);
        }
    }
    return below;
}

void kill_all_once() {
    if (getpid() == 1) {
        kill(-1, SIGKILL); // all but init, in one step: nobody forks away from it
        return;
    }
    for (const auto& [pid, process] : living_below()) {
        kill(pid, SIGKILL);
    }
}

} // namespace

ChildWatch::ChildWatch() : pipe_(make_pipe()) {
    fcntl(pipe_.write_end.get(), F_SETFL, O_NONBLOCK);
    watch_fd = pipe_.write_end.get();
    struct sigaction action{};
    action.sa_handler = on_sigchld;
    action.sa_flags = SA_RESTART;
    sigaction(SIGCHLD, &action, nullptr);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

ChildWatch::~ChildWatch() {
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    watch_fd = -1;
}

void ChildWatch::clear() const {
    std::array<char, 256> buffer;
    while (read(fd(), buffer.data(), buffer.size()) > 0) {
    }
}

std::optional<int> reap(pid_t leader, bool& none_left) {
    std::optional<int> found;
    for (;;) {
        int status = 0;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid < 0 && errno == EINTR) {
            continue;
        }
        none_left = pid < 0;
        if (pid <= 0) {
            return found;
        }
        if (pid == leader) {
            found = status;
        }
    }
}

bool kill_everything(const ChildWatch& watch, pid_t leader, std::optional<int>& status,
                     std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (;;) {
        kill_all_once();
        bool none_left = false;
        if (const auto found = reap(leader, none_left)) {
            status = found;
        }
        if (none_left) {
            return true;
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        pollfd waiting{watch.fd(), POLLIN, 0};
        poll(&waiting, 1, 20);
        watch.clear();
    }
}

std::vector<std::string> names_below() {
    std::vector<std::string> names;
    for (const auto& [pid, process] : living_below()) {
        names.push_back(std::to_string(pid) + " (" + process.name + ")");
    }
    return names;
}

std::string output_of(const std::vector<std::string>& argv) {
    Pipe output = make_pipe();
    std::vector<char*> arguments;
    arguments.reserve(argv.size() + 1);
    for (const auto& argument : argv) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(output.write_end.get(), STDOUT_FILENO);
        execv(arguments[0], arguments.data());
        _exit(127);
    }
    output.write_end.reset();
    std::string text;
    std::array<char, 65536> buffer;
    while (pid > 0) {
        pollfd waiting{output.read_end.get(), POLLIN, 0};
        poll(&waiting, 1, -1);
        const ssize_t got = read(output.read_end.get(), buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    if (pid > 0) {
        waitpid(pid, nullptr, 0);
    }
    return text;
}

} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/guardian.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/vm/guests.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds look_every{100};

// What kmatrix has said.
struct Duty {
    Owner owner;
    std::set<fs::path> remove;
    bool released = false;

    void take(const std::string& line) {
        std::istringstream words(line);
        std::string verb;
        words >> verb;
        if (verb == "owner")
            words >> owner.pid >> owner.start_ticks;
        else if (verb == "remove")
            remove.insert(line.substr(verb.size() + 1));
        else if (verb == "keep")
            remove.erase(line.substr(verb.size() + 1));
        else if (verb == "bye")
            released = true;
    }
};

Duty listen(int fd) {
    Duty duty;
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return duty;
        text.append(buffer.data(), static_cast<std::size_t>(n));
        for (std::size_t end; (end = text.find('\n')) != std::string::npos;) {
            duty.take(text.substr(0, end));
            text.erase(0, end + 1);
        }
    }
}

} // namespace

Result<Guardian> Guardian::start(const fs::path& program,
                                 const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return infrastructure_error(
            fmt::format("the guardian's socket cannot be made: {}", std::strerror(errno)));

    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    ::posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, 1, 2);
    ::posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t pid = 0;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &files, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        return infrastructure_error(fmt::format("{}: the guardian cannot be started: {}",
                                                program.string(), std::strerror(error)));
    }
    Guardian guardian(ends[0], pid);
    char ready = 0;
    ssize_t n = 0;
    while ((n = ::read(ends[0], &ready, 1)) < 0 && errno == EINTR) {
    }
    if (n != 1)
        return infrastructure_error(program.string() + ": the guardian ended at once");
    const Owner self = this_process();
    guardian.say(fmt::format("owner {} {}", self.pid, self.start_ticks));
    return guardian;
}

void Guardian::say(const std::string& line) const {
    const std::string text = line + "\n";
    std::string_view left = text;
    while (!left.empty()) {
        const ssize_t n = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; // it is gone; the next start sweeps
        left.remove_prefix(static_cast<std::size_t>(n));
    }
}

void Guardian::remove_at_death(const fs::path& path) const {
    say("remove " + fs::absolute(path).string());
}

void Guardian::keep(const fs::path& path) const {
    say("keep " + fs::absolute(path).string());
}

Guardian::Guardian(Guardian&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), pid_(std::exchange(other.pid_, 0)) {}

Guardian& Guardian::operator=(Guardian&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(pid_, other.pid_);
    return *this;
}

Guardian::~Guardian() {
    if (fd_ < 0)
        return;
    say("bye");
    ::close(fd_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

int guardian_main(int fd, std::chrono::milliseconds look_for) {
    // Ctrl-C and a closed terminal are for kmatrix to act on.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        ::signal(signal, SIG_IGN);
    constexpr char ready = '.';
    if (::chdir("/") != 0 || ::write(fd, &ready, 1) != 1)
        return 1;
    const Duty duty = listen(fd);
    if (duty.released || duty.owner.pid == 0)
        return 0;
    const auto end = std::chrono::steady_clock::now() + look_for;
    for (;;) {
        kill_guests([&](const Owner& owner) { return owner == duty.owner; });
        if (std::chrono::steady_clock::now() >= end)
            break;
        std::this_thread::sleep_for(look_every);
    }
    for (const fs::path& path : duty.remove) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    return 0;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace kmatrix::guest {
namespace {

using Clock = std::chrono::steady_clock;

std::string errno_text(const std::string& what) {
    return what + ": " + std::strerror(errno);
}

int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 3'600'000));
}

void close_fd(int fd) {
    if (fd >= 0) {
        close(fd);
    }
}

// Errors are told through the port, because a child that runs elsewhere measures something else.
void become(const ChildSetup& setup, const ChildPort& port, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    prctl(PR_SET_NAME, setup.name.substr(0, 15).c_str());
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(static_cast<std::size_t>(setup.cpu), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
        port.fail(errno_text("cannot be pinned to CPU " + std::to_string(setup.cpu)));
    }
    if (setup.nice != 0 && setpriority(PRIO_PROCESS, 0, setup.nice) != 0) {
        port.fail(errno_text("cannot take nice value " + std::to_string(setup.nice)));
    }
}

} // namespace

void ChildPort::say(const std::string& word) const {
    const std::string line = word + "\n";
    if (write(report_fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
        _exit(1);
    }
}

void ChildPort::fail(const std::string& message) const {
    say("error " + message);
    _exit(1);
}

void ChildPort::wait_for_order() const {
    char byte = 0;
    ssize_t got = 0;
    do {
        got = read(order_fd_, &byte, 1);
    } while (got < 0 && errno == EINTR);
    if (got != 1) {
        _exit(1);
    }
}

Expected<Child> Child::start(ChildSetup setup, const std::function<void(ChildPort&)>& body) {
    std::array<int, 2> report{-1, -1};
    std::array<int, 2> orders{-1, -1};
    if (pipe2(report.data(), O_CLOEXEC) != 0 || pipe2(orders.data(), O_CLOEXEC) != 0) {
        close_fd(report[0]);
        close_fd(report[1]);
        return tl::unexpected(errno_text("pipe"));
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        for (const int fd : {report[0], report[1], orders[0], orders[1]}) {
            close_fd(fd);
        }
        return tl::unexpected(errno_text("fork"));
    }
    if (pid == 0) {
        close(report[0]);
        close(orders[1]);
        ChildPort port(report[1], orders[0]);
        become(setup, port, parent);
        body(port);
        _exit(0);
    }
    close(report[1]);
    close(orders[0]);
    fcntl(report[0], F_SETFL, O_NONBLOCK);
    return Child(std::move(setup.name), pid, report[0], orders[1]);
}

Child::Child(Child&& other) noexcept
    : name_(std::move(other.name_)), pid_(std::exchange(other.pid_, -1)),
      report_fd_(std::exchange(other.report_fd_, -1)),
      order_fd_(std::exchange(other.order_fd_, -1)), heard_(std::move(other.heard_)) {}

Child::~Child() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    close_fd(report_fd_);
    close_fd(order_fd_);
}

void Child::order() const {
    const char byte = '!';
    // If it has died, await_word says so; SIGPIPE is ignored by main.
    if (write(order_fd_, &byte, 1) != 1) {
        return;
    }
}

bool Child::read_report() {
    std::array<char, 1024> buffer;
    const ssize_t got = read(report_fd_, buffer.data(), buffer.size());
    if (got > 0) {
        heard_.append(buffer.data(), static_cast<std::size_t>(got));
        return true;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

bool Child::next_line(std::string& line) {
    const auto end = heard_.find('\n');
    if (end == std::string::npos) {
        return false;
    }
    line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return true;
}

std::string Child::how_it_ended() {
    int status = 0;
    const pid_t got = waitpid(pid_, &status, 0);
    pid_ = -1;
    if (got < 0) {
        return errno_text("waitpid");
    }
    if (WIFSIGNALED(status)) {
        return "was killed by signal " + std::to_string(WTERMSIG(status));
    }
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

Expected<void> Child::wait_for_end(std::chrono::milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    for (;;) {
        pollfd waiting{report_fd_, POLLIN, 0};
        const int ready = poll(&waiting, 1, milliseconds_until(deadline));
        if (ready == 0) {
            return tl::unexpected(name_ + " does not end");
        }
        if (ready > 0 && !read_report()) {
            break;
        }
    }
    std::string line;
    while (next_line(line)) {
        if (line.starts_with("error ")) {
            return tl::unexpected(name_ + " " + line.substr(6));
        }
    }
    const std::string end = how_it_ended();
    if (end != "ended with status 0") {
        return tl::unexpected(name_ + " " + end);
    }
    return {};
}

Expected<void> await_word(std::span<Child*> children, std::size_t who, const std::string& word,
                          std::chrono::milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    std::vector<pollfd> waiting;
    for (const Child* child : children) {
        waiting.push_back({child->report_fd_, POLLIN, 0});
    }
    for (;;) {
        for (std::size_t i = 0; i < children.size(); ++i) {
            std::string line;
            while (children[i]->next_line(line)) {
                if (line.starts_with("error ")) {
                    return tl::unexpected(children[i]->name() + " " + line.substr(6));
                }
                if (i == who && line == word) {
                    return {};
                }
            }
        }
        const int ready = poll(waiting.data(), waiting.size(), milliseconds_until(deadline));
        if (ready == 0) {
            return tl::unexpected(children[who]->name() + " did not get " + word + " within " +
                                  std::to_string(limit.count() / 1000) + " s");
        }
        for (std::size_t i = 0; ready > 0 && i < children.size(); ++i) {
            if (waiting[i].revents != 0 && !children[i]->read_report() &&
                children[i]->heard_.empty()) {
                return tl::unexpected(children[i]->name() + " " + children[i]->how_it_ended());
            }
        }
    }
}

} // namespace kmatrix::guest

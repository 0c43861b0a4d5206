// SPDX-License-Identifier: GPL-2.0-only
// A process that looks like QEMU. For tests.
#pragma once

#include <array>
#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace kmatrix {

// A process that looks like the emulator of a guest of `name`: a shell that waits, with QEMU's
// arguments for its own.
class FakeEmulator {
  public:
    explicit FakeEmulator(const std::string& name) {
        std::array<int, 2> in{}, out{};
        if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0)
            return;
        const std::string guest = "guest=" + name + ",debug-threads=on";
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(in[0], 0);
            ::dup2(out[1], 1);
            ::close(in[1]);
            ::execl("/bin/sh", "sh", "-c", "echo; read line", "-name", guest.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(in[0]);
        ::close(out[1]);
        hold_ = in[1];
        char byte = 0;
        started_ = ::read(out[0], &byte, 1) == 1;
        ::close(out[0]);
    }
    ~FakeEmulator() {
        if (pid_ > 0) {
            ::kill(pid_, SIGTERM);
            signal();
        }
        ::close(hold_);
    }
    FakeEmulator(const FakeEmulator&) = delete;
    FakeEmulator& operator=(const FakeEmulator&) = delete;

    bool started() const { return started_; }
    // Waits for it; the signal that ended it.
    int signal() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

  private:
    pid_t pid_ = 0;
    int hold_ = -1;
    bool started_ = false;
};

} // namespace kmatrix

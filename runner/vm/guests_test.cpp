// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/guests.h"

#include <array>
#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using namespace std::string_view_literals;

// A process that looks like the emulator of a guest of `name`: a shell that waits, with QEMU's
// arguments for its own.
class Emulator {
  public:
    explicit Emulator(const std::string& name) {
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
    ~Emulator() {
        if (pid_ > 0) {
            ::kill(pid_, SIGTERM);
            signal();
        }
        ::close(hold_);
    }
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;

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

TEST(Guests, NameSaysWhose) {
    EXPECT_EQ(guest_name({12, 345}, 7), "kmatrix-12-345-7");
    EXPECT_EQ(owner_in_name("kmatrix-12-345-7"), (Owner{12, 345}));
}

TEST(Guests, OtherNamesAreNotOurs) {
    for (const auto name : {""sv, "debian12"sv, "kmatrix-"sv, "kmatrix-12-345"sv,
                            "kmatrix-12-345-7-8"sv, "kmatrix-x-345-7"sv, "kmatrix-12-345x-7"sv,
                            "kmatrix--12-345-7"sv, "kmatrix-0-345-7"sv, "my-kmatrix-12-345-7"sv})
        EXPECT_EQ(owner_in_name(name), std::nullopt) << name;
}

TEST(Guests, FoundInAnEmulatorsArguments) {
    EXPECT_EQ(owner_in_arguments("/usr/bin/qemu-system-x86_64\0-name\0"
                                 "guest=kmatrix-12-345-7,debug-threads=on\0-S\0"sv),
              (Owner{12, 345}));
    EXPECT_EQ(owner_in_arguments("qemu\0-name\0guest=kmatrix-12-345-7\0"sv), (Owner{12, 345}));
}

TEST(Guests, WhoOnlySpeaksOfAGuestIsNoEmulator) {
    EXPECT_EQ(owner_in_arguments("virsh\0destroy\0kmatrix-12-345-7\0"sv), std::nullopt);
    EXPECT_EQ(owner_in_arguments("grep\0guest=kmatrix-12-345-7\0"sv), std::nullopt);
    EXPECT_EQ(owner_in_arguments("qemu\0-name\0"sv), std::nullopt);
    EXPECT_EQ(owner_in_arguments(""sv), std::nullopt);
}

TEST(Guests, ThisProcessIsAliveAndAnEarlierOneWithItsIdIsNot) {
    const Owner self = this_process();
    EXPECT_EQ(self.pid, ::getpid());
    EXPECT_GT(self.start_ticks, 0u);
    EXPECT_TRUE(alive(self));
    EXPECT_FALSE(alive({self.pid, self.start_ticks - 1}));
}

TEST(Guests, AZombieIsDead) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    EXPECT_EQ(process(child), std::nullopt);
    ::waitpid(child, nullptr, 0);
}

TEST(Guests, KillsThoseOfTheOwnerAndNoOther) {
    // Both alive, so that a sweep elsewhere on this machine leaves them alone.
    const Owner mine = this_process();
    const Owner others = process(::getppid()).value();
    Emulator first(guest_name(mine, 1));
    Emulator second(guest_name(mine, 2));
    Emulator other(guest_name(others, 1));
    ASSERT_TRUE(first.started() && second.started() && other.started());

    EXPECT_EQ(kill_guests([&](const Owner& owner) { return owner == mine; }), 2);
    EXPECT_EQ(first.signal(), SIGKILL);
    EXPECT_EQ(second.signal(), SIGKILL);
    EXPECT_EQ(kill_guests([&](const Owner& owner) { return owner == mine; }), 0);
    EXPECT_EQ(kill_guests([&](const Owner& owner) { return owner == others; }), 1);
    EXPECT_EQ(other.signal(), SIGKILL);
}

TEST(Guests, SweepKillsWhatTheDeadLeft) {
    const Owner dead = {this_process().pid, 1}; // this id, another start time
    Emulator orphan(guest_name(dead, 1));
    Emulator owned(guest_name(this_process(), 1));
    ASSERT_TRUE(orphan.started() && owned.started());

    EXPECT_GE(sweep_guests(), 1);
    EXPECT_EQ(orphan.signal(), SIGKILL);
    EXPECT_EQ(kill_guests([](const Owner& owner) { return owner == this_process(); }), 1);
    EXPECT_EQ(owned.signal(), SIGKILL);
}

} // namespace
} // namespace kmatrix

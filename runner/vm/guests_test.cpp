// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/guests.h"

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "runner/vm/fake_emulator.h"

namespace kmatrix {
namespace {

using namespace std::string_view_literals;

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
    EXPECT_EQ(guest_in_arguments("/usr/bin/qemu-system-x86_64\0-name\0"
                                 "guest=kmatrix-12-345-7,debug-threads=on\0-S\0"sv),
              "kmatrix-12-345-7");
    EXPECT_EQ(guest_in_arguments("qemu\0-name\0guest=debian\0"sv), "debian");
}

TEST(Guests, WhoOnlySpeaksOfAGuestIsNoEmulator) {
    EXPECT_EQ(guest_in_arguments("virsh\0destroy\0kmatrix-12-345-7\0"sv), "");
    EXPECT_EQ(guest_in_arguments("grep\0guest=kmatrix-12-345-7\0"sv), "");
    EXPECT_EQ(guest_in_arguments("qemu\0-name\0"sv), "");
    EXPECT_EQ(guest_in_arguments("qemu\0-name"sv), "");
    EXPECT_EQ(guest_in_arguments(""sv), "");
}

TEST(Guests, ThisProcessIsAliveAndAnEarlierOneWithItsIdIsNot) {
    const Owner self = this_process();
    EXPECT_EQ(self.pid, ::getpid());
    EXPECT_GT(self.start_ticks, 0u);
    EXPECT_TRUE(alive(self));
    EXPECT_FALSE(alive({self.pid, self.start_ticks - 1}));
}

TEST(Guests, CpuTimeGrowsAndIsOfThatProcessOnly) {
    const Owner self = this_process();
    const double before_s = cpu_s(self).value();
    for (volatile int i = 0; cpu_s(self).value() <= before_s;)
        i = i + 1;
    EXPECT_EQ(cpu_s({self.pid, self.start_ticks - 1}), std::nullopt);
    EXPECT_EQ(emulator_of("kmatrix-1-1-1"), std::nullopt);
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
    FakeEmulator first(guest_name(mine, 1));
    FakeEmulator second(guest_name(mine, 2));
    FakeEmulator other(guest_name(others, ::getpid()));
    ASSERT_TRUE(first.started() && second.started() && other.started());

    EXPECT_EQ(kill_guests([&](const Owner& owner) { return owner == mine; }), 2);
    EXPECT_EQ(first.signal(), SIGKILL);
    EXPECT_EQ(second.signal(), SIGKILL);
    EXPECT_EQ(kill_guests([&](const Owner& owner) { return owner == mine; }), 0);
    EXPECT_TRUE(kill_guest(guest_name(others, ::getpid())));
    EXPECT_EQ(other.signal(), SIGKILL);
}

TEST(Guests, KillsOneByItsName) {
    FakeEmulator first(guest_name(this_process(), 1));
    FakeEmulator tenth(guest_name(this_process(), 10));
    ASSERT_TRUE(first.started() && tenth.started());
    EXPECT_TRUE(kill_guest(guest_name(this_process(), 1)));
    EXPECT_EQ(first.signal(), SIGKILL);
    EXPECT_FALSE(kill_guest(guest_name(this_process(), 1)));
    EXPECT_TRUE(kill_guest(guest_name(this_process(), 10)));
    EXPECT_EQ(tenth.signal(), SIGKILL);
}

TEST(Guests, SweepKillsWhatTheDeadLeft) {
    const Owner dead = {this_process().pid, 1}; // this id, another start time
    FakeEmulator orphan(guest_name(dead, 1));
    FakeEmulator owned(guest_name(this_process(), 1));
    ASSERT_TRUE(orphan.started() && owned.started());

    sweep_guests();
    EXPECT_EQ(orphan.signal(), SIGKILL);
    EXPECT_EQ(kill_guests([](const Owner& owner) { return owner == this_process(); }), 1);
    EXPECT_EQ(owned.signal(), SIGKILL);
}

} // namespace
} // namespace kmatrix

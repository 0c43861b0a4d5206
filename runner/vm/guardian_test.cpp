// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/guardian.h"

#include <array>
#include <csignal>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/vm/fake_emulator.h"
#include "runner/vm/guests.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class GuardianTest : public ::testing::Test {
  protected:
    GuardianTest() {
        std::string name = (fs::temp_directory_path() / "guardian-XXXXXX").string();
        directory = ::mkdtemp(name.data());
        std::array<int, 2> ends{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        fd = ends[0];
        pid = ::fork();
        if (pid == 0) {
            ::close(ends[0]);
            ::_exit(guardian_main(ends[1], std::chrono::milliseconds(0)));
        }
        ::close(ends[1]);
        char ready = 0;
        EXPECT_EQ(::read(fd, &ready, 1), 1);
    }
    ~GuardianTest() override { fs::remove_all(directory); }

    void say(const std::string& lines) const {
        ASSERT_EQ(::write(fd, lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
    }
    // As the kernel does when this process dies. The guardian's exit status.
    int die() const {
        ::close(fd);
        int status = -1;
        ::waitpid(pid, &status, 0);
        return status;
    }
    static std::string owner_line(const Owner& owner) {
        return fmt::format("owner {} {}\n", owner.pid, owner.start_ticks);
    }

    fs::path directory;
    int fd = -1;
    pid_t pid = 0;
};

TEST_F(GuardianTest, KillsTheGuestsOfItsOwner) {
    FakeEmulator guest(guest_name(this_process(), 1));
    const std::string name = guest_name(process(::getppid()).value(), ::getpid());
    FakeEmulator others(name);
    ASSERT_TRUE(guest.started() && others.started());
    say(owner_line(this_process()));
    EXPECT_EQ(die(), 0);
    EXPECT_EQ(guest.signal(), SIGKILL);
    EXPECT_TRUE(kill_guest(name));
}

TEST_F(GuardianTest, RemovesWhatItWasTold) {
    ASSERT_TRUE(write_file(directory / "gone" / "file", "x"));
    ASSERT_TRUE(write_file(directory / "kept file", "x"));
    say(owner_line(this_process()) + "remove " + (directory / "gone").string() + "\nremove " +
        (directory / "kept file").string());
    say("\nkeep " + (directory / "kept file").string() + "\n");
    EXPECT_EQ(die(), 0);
    EXPECT_FALSE(fs::exists(directory / "gone"));
    EXPECT_TRUE(fs::exists(directory / "kept file"));
}

TEST_F(GuardianTest, DoesNothingAfterAnOrderlyEnd) {
    ASSERT_TRUE(write_file(directory / "file", "x"));
    say(owner_line(this_process()) + "remove " + (directory / "file").string() + "\nbye\n");
    EXPECT_EQ(die(), 0);
    EXPECT_TRUE(fs::exists(directory / "file"));
}

TEST(Guardian, AProgramThatIsNoneIsAnError) {
    const auto missing = Guardian::start("/no/such/program");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("/no/such/program: the guardian cannot be"));
    const auto other = Guardian::start("/bin/true", {"true"});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message, "/bin/true: the guardian ended at once");
}

TEST(Guardian, HasASessionOfItsOwnAndNoOtherFiles) {
    // Says that it is ready, then waits for the end of what it is told.
    const auto guardian = Guardian::start("/bin/sh", {"sh", "-c", "exec 1>&0; printf .; exec cat"});
    ASSERT_TRUE(guardian);
    EXPECT_EQ(::getsid(guardian->pid()), guardian->pid());
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", guardian->pid())))
        files.push_back(entry.path().filename());
    EXPECT_THAT(files, ::testing::UnorderedElementsAre("0", "1", "2"));
}

TEST_F(GuardianTest, IsNotStoppedByATerminal) {
    ASSERT_TRUE(write_file(directory / "file", "x"));
    say(owner_line(this_process()) + "remove " + (directory / "file").string() + "\n");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        ::kill(pid, signal);
    EXPECT_EQ(die(), 0);
    EXPECT_FALSE(fs::exists(directory / "file"));
}

} // namespace
} // namespace kmatrix

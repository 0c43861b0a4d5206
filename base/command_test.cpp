// SPDX-License-Identifier: GPL-2.0-only
#include "base/command.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <boost/asio.hpp>
#include <gmock/gmock.h>

#include "base/files.h"

namespace kmatrix {
namespace {
namespace asio = boost::asio;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class CommandTest : public testing::Test {
  protected:
    CommandTest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-command-XXXXXX").string();
        directory = ::mkdtemp(name.data());
    }
    ~CommandTest() override { fs::remove_all(directory); }

    static Command shell(const std::string& script) {
        Command command;
        command.argv = {"sh", "-c", script};
        return command;
    }
    // Whether the process whose id a script wrote is gone within two seconds.
    bool gone(const fs::path& pid_file) const {
        pid_t pid = 0;
        for (int i = 0; i < 200; ++i) {
            if (!pid)
                std::ifstream(pid_file) >> pid;
            std::string stat;
            std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
            if (pid && (stat.empty() || stat.find(") Z") != std::string::npos))
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    fs::path directory;
};

TEST_F(CommandTest, StreamsAreKeptApart) {
    const auto exit = run_blocking(shell("echo out; echo err >&2; exit 3"));
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->status, 3);
    EXPECT_EQ(exit->output, "out\n");
    EXPECT_THAT(exit->tail, HasSubstr("err"));
    EXPECT_FALSE(exit->ok());
}

// The kernel counts a child's time where it is waited for; the shell waits for dd.
TEST_F(CommandTest, CpuTimeIsThatOfTheWholeTree) {
    const auto idle = run_blocking(shell("sleep 0.1"));
    const auto busy = run_blocking(shell("sh -c 'dd if=/dev/zero bs=64k count=20000 | sha256sum'"));
    ASSERT_TRUE(idle && busy);
    EXPECT_EQ(busy->status, 0);
    EXPECT_GT(busy->cpu_s, 0.2); // 1.3 GB cannot be hashed in less
    EXPECT_LT(idle->cpu_s, busy->cpu_s);
}

TEST_F(CommandTest, TheLogHasBothInOrderAndLinesArriveWhole) {
    Command command = shell("printf 'a\\nb'; printf 'c\\n' >&2; printf last");
    command.log = directory / "log";
    std::vector<std::string> lines;
    command.on_line = [&](std::string_view line) { lines.emplace_back(line); };
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit && exit->ok());
    EXPECT_EQ(read_file(directory / "log").value(), "a\nbc\nlast");
    EXPECT_THAT(lines, ElementsAre("a", "bc", "last"));
}

TEST_F(CommandTest, TheLogHasALimit) {
    Command command = shell("head -c 100000 /dev/zero | tr '\\0' x");
    command.log = directory / "log";
    command.log_limit_bytes = 1000;
    ASSERT_TRUE(run_blocking(command));
    const std::string log = read_file(directory / "log").value();
    EXPECT_LT(log.size(), 1200u);
    EXPECT_THAT(log, HasSubstr("limit is reached"));
}

TEST_F(CommandTest, ALogThatCannotBeWrittenIsAnError) {
    Command command = shell("while :; do echo x; done");
    command.log = "/dev/full";
    const auto exit = run_blocking(command);
    ASSERT_FALSE(exit);
    EXPECT_THAT(exit.error().message, HasSubstr("/dev/full: cannot be written: No space left"));
}

TEST_F(CommandTest, InputAndEnvironment) {
    Command command = shell("cat; echo $WORD; env | grep -c ^HOME=");
    command.input = std::string(300000, 'i');
    command.environment = {"WORD=here"};
    command.clean_environment = true;
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->output, command.input + "here\n0\n");
}

TEST_F(CommandTest, InputThatIsNotReadHarmsNobody) {
    Command command;
    command.argv = {"true"};
    command.input = std::string(1 << 20, 'x'); // more than a pipe holds
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_TRUE(exit->ok());
}

TEST_F(CommandTest, CommandsDieOfABrokenPipeAsUsual) {
    Command command;
    command.argv = {"sh", "-c", "yes | head -n 1; kill -PIPE $$"};
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->signal, SIGPIPE);
}

TEST_F(CommandTest, ATimeoutKillsTheWholeGroup) {
    Command command = shell("sleep 100 & echo $! > pid; wait");
    command.cwd = directory;
    command.timeout = std::chrono::seconds(1);
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_TRUE(exit->timed_out);
    EXPECT_EQ(exit->signal, SIGKILL);
    EXPECT_THAT(failed(command, *exit).message, HasSubstr("did not end within 1 s"));
    EXPECT_TRUE(gone(directory / "pid"));
}

TEST_F(CommandTest, WhatTheCommandLeavesBehindIsKilled) {
    Command command = shell("sleep 100 & echo $! > pid");
    command.cwd = directory;
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit && exit->ok());
    EXPECT_TRUE(gone(directory / "pid"));
}

TEST_F(CommandTest, CancellationKillsAndThrows) {
    asio::io_context context;
    asio::cancellation_signal signal;
    Command command = shell("echo $$ > pid; sleep 100");
    command.cwd = directory;
    std::exception_ptr thrown;
    asio::co_spawn(context, run(command),
                   asio::bind_cancellation_slot(
                       signal.slot(),
                       [&](std::exception_ptr failure, const Result<Exit>&) { thrown = failure; }));
    asio::steady_timer timer(context, std::chrono::milliseconds(100));
    timer.async_wait([&](auto) { signal.emit(asio::cancellation_type::terminal); });
    const auto begin = std::chrono::steady_clock::now();
    context.run();
    EXPECT_TRUE(thrown);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    EXPECT_TRUE(gone(directory / "pid"));
}

TEST_F(CommandTest, AProgramThatIsNotThere) {
    Command command;
    command.argv = {"no-such-program-here"};
    const auto exit = run_blocking(command);
    ASSERT_FALSE(exit);
    EXPECT_THAT(exit.error().message, HasSubstr("no-such-program-here: no such program in PATH"));
    command.argv = {"/no/such/file"};
    EXPECT_FALSE(run_blocking(command));
}

TEST_F(CommandTest, ManyAtOnce) {
    asio::io_context context;
    int done = 0;
    for (int i = 0; i < 30; ++i)
        asio::co_spawn(context, run(shell("exit 0")),
                       [&](std::exception_ptr failure, Result<Exit> exit) {
                           done += !failure && exit && exit->ok();
                       });
    context.run();
    EXPECT_EQ(done, 30);
}

TEST(ShellText, QuotesWhatNeedsIt) {
    EXPECT_EQ(shell_text({"make", "O=/b", "a b", "it's", ""}), "make O=/b 'a b' 'it'\\''s' ''");
}

TEST_F(CommandTest, AnObjectionEndsIt) {
    Command command = shell("echo begun; sleep 100");
    int asked = 0;
    command.objection = [&] { return ++asked < 2 ? "" : "enough of it"; };
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(exit->signal, SIGKILL);
    EXPECT_FALSE(exit->ok());
    EXPECT_NE(failed(command, *exit).message.find("was stopped: enough of it"), std::string::npos);
}

TEST_F(CommandTest, WhatNobodyObjectsToEndsByItself) {
    Command command = shell("sleep 1.2");
    command.objection = [] { return std::string(); };
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_TRUE(exit->ok());
}

} // namespace
} // namespace kmatrix

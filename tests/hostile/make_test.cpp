// SPDX-License-Identifier: GPL-2.0-only
// A Makefile that attacks the machine that builds it, in the sandbox as every build has it.
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/build/build_log.h"
#include "runner/build/make_run.h"
#include "runner/cache/work_directory.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
namespace asio = boost::asio;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Lt;
using testing::Not;

class HostileMake : public testing::Test {
  protected:
    HostileMake() {
        std::string name = (fs::temp_directory_path() / "kmatrix-hostile-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
        fs::create_directories(root_ / "src");
        fs::create_directories(root_ / "out");
        make_.sandbox.source = root_ / "src";
        make_.sandbox.output = root_ / "out";
        make_.log = root_ / "log";
        make_.targets = {"all"};
    }
    ~HostileMake() override { remove_tree(root_); }

    // Runs a shell script as the recipe of a Makefile, and waits for make's end.
    Result<Exit> attack(const std::string& script) {
        std::ofstream(root_ / "src/attack") << script;
        std::ofstream(root_ / "src/Makefile") << "all:\n\t@sh /src/attack\n";
        asio::io_context context;
        Result<Exit> exit;
        asio::co_spawn(context, run_make(make_), [&](std::exception_ptr thrown, Result<Exit> end) {
            if (thrown)
                std::rethrow_exception(thrown);
            exit = std::move(end);
        });
        context.run();
        return exit;
    }
    std::string log() const { return read_file(root_ / "log").value_or(""); }
    // What a report says of it.
    std::string words(const Result<Exit>& exit) const {
        if (!exit)
            return exit.error().message;
        const auto words = failure_words(*exit, root_ / "log");
        return words ? *words : words.error().message;
    }

    fs::path root_;
    MakeRun make_;
};

// Processes whose command line has this word.
int running(const std::string& word) {
    int count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const auto line = read_file(entry.path() / "cmdline");
        if (line && line->find(word) != std::string::npos)
            ++count;
    }
    return count;
}

TEST_F(HostileMake, FindsNeitherHomeNorEnvironmentNorHost) {
    ::setenv("KMATRIX_SECRET_TOKEN", "SECRET", 1);
    std::ofstream(root_ / "secret") << "SECRET";
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/root";
    const auto exit = attack(fmt::format("echo home is $HOME\n"
                                         "env\n"
                                         "ls -a {0}; cat {1}/secret {0}/.bashrc {0}/.ssh/*\n"
                                         "cat /etc/passwd /etc/shadow /etc/hostname\n"
                                         "ls /home /root /var /run /sys /mnt /tmp\n"
                                         "cat /proc/1/environ /proc/*/environ\n"
                                         "ls /proc | grep -c '^[0-9]'\n"
                                         "uname -n; id -u; true\n",
                                         home, root_.string()));
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << log();
    EXPECT_THAT(log(), AllOf(HasSubstr("home is /tmp"), HasSubstr("\nkmatrix\n1000\n")));
    EXPECT_THAT(log(), AllOf(Not(HasSubstr("SECRET")), Not(HasSubstr("root:x:"))));
    for (const char* gone : {"/home", "/root", "/var", "/run", "/sys", "/mnt"})
        EXPECT_THAT(log(), HasSubstr(fmt::format("{}': No such file", gone))) << gone;
    EXPECT_THAT(log(), HasSubstr("/etc/shadow: No such file"));
    ::unsetenv("KMATRIX_SECRET_TOKEN");
}

TEST_F(HostileMake, ReachesNoNetwork) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(listener, 8), 0);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    const auto exit = attack(fmt::format("for host in 127.0.0.1 10.0.2.2 169.254.169.254; do\n"
                                         "bash -c \"echo x >/dev/tcp/$host/{}\"; done\n"
                                         "cat /proc/net/route; grep -c : /proc/net/dev; exit 3\n",
                                         ntohs(address.sin_port)));
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_FALSE(exit->ok());
    EXPECT_EQ(::accept(listener, nullptr, nullptr), -1);
    EXPECT_EQ(errno, EAGAIN);
    EXPECT_THAT(log(), AllOf(HasSubstr("Connection refused"), HasSubstr("Network is unreachable")));
    EXPECT_THAT(words(exit), HasSubstr("Error 3"));
    ::close(listener);
}

TEST_F(HostileMake, WritesNowhereButIntoItsOutput) {
    const auto exit = attack("for path in /src/x /x /usr/x /bin/x /lib/x /etc/x /dev/x /dev/shm/x "
                             "/proc/sys/kernel/x; do\n"
                             "if echo evil >$path; then echo WRITTEN $path; fi; done\n"
                             // With the value that is there already: a test must not do harm.
                             "for path in kernel/core_pattern vm/swappiness kernel/modprobe; do\n"
                             "path=/proc/sys/$path; value=$(cat $path)\n"
                             "if echo \"$value\" >$path; then echo WRITTEN $path; fi; done\n"
                             "echo mine >/build/mine; echo mine >/tmp/mine\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << log();
    EXPECT_THAT(log(), Not(HasSubstr("WRITTEN")));
    EXPECT_EQ(read_file(root_ / "out/mine").value_or(""), "mine\n");
    EXPECT_FALSE(fs::exists(root_ / "src/x"));
}

TEST_F(HostileMake, LeavesNoProcessBehind) {
    const std::string mark = fmt::format("7777.{}", ::getpid());
    const auto exit = attack(fmt::format("setsid sh -c 'trap \"\" TERM HUP INT; sleep {0}; :' "
                                         "</dev/null >/dev/null 2>&1 &\n"
                                         "setsid setsid sleep {0} &\n"
                                         "sleep 0.2; echo left it\n",
                                         mark));
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_THAT(log(), HasSubstr("left it"));
    EXPECT_EQ(running(mark), 0);
}

// The kernel exempts root from RLIMIT_NPROC, so that root needs a cgroup.
TEST_F(HostileMake, ForksNoMoreThanItMay) {
    make_.sandbox.limits.processes = 60;
    if (::geteuid() == 0 && BuildGroup::make(make_.sandbox.limits).door().empty())
        GTEST_SKIP() << "no cgroup can be made here, and root has no other limit on processes";
    const std::string mark = fmt::format("8888.{}", ::getpid());
    const auto exit = attack(fmt::format("bomb() {{ bomb | bomb & }}\n"
                                         "i=0; while [ $i -lt 200 ]; do\n"
                                         "sleep {} & i=$((i+1)); done; bomb; wait\n",
                                         mark));
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_FALSE(exit->ok());
    EXPECT_THAT(words(exit), HasSubstr("fork"));
    EXPECT_EQ(running(mark), 0);
}

TEST_F(HostileMake, AGroupIsGoneWithItsBuild) {
    fs::path door;
    {
        const BuildGroup group = BuildGroup::make({});
        door = group.door();
        if (door.empty())
            GTEST_SKIP() << "no cgroup can be made here";
        EXPECT_EQ(read_file(door.parent_path() / "pids.max").value_or(""), "4096\n");
    }
    EXPECT_FALSE(fs::exists(door.parent_path()));
}

TEST_F(HostileMake, WritesNoLargeFile) {
    make_.sandbox.limits.file_bytes = 1u << 20;
    make_.sandbox.limits.temporary_bytes = 8u << 20;
    const auto exit = attack("head -c 20M /dev/zero >/build/big\n"
                             "i=0; while head -c 1000000 /dev/zero >/tmp/$i; do i=$((i+1)); "
                             "[ $i -lt 30 ] || exit 0; done; exit 4\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_FALSE(exit->ok());
    EXPECT_EQ(fs::file_size(root_ / "out/big"), 1u << 20);
    EXPECT_THAT(log(), HasSubstr("No space left on device"));
}

TEST_F(HostileMake, FillsNoDisk) {
    // 200 MiB less than now are enough, and 4 GiB are taken at once.
    make_.sandbox.limits.disk_floor_bytes = fs::space(root_).available - (200u << 20);
    const auto exit = attack("fallocate -l 4G /build/big || head -c 4G /dev/zero >/build/big\n"
                             "sleep 100\n");
    EXPECT_THAT(words(exit), HasSubstr("MiB are free in"));
    if (exit) {
        EXPECT_EQ(exit->signal, SIGKILL);
        EXPECT_LT(exit->elapsed_s, 90);
    }
}

TEST_F(HostileMake, StartsNothingOnAFullDisk) {
    make_.sandbox.limits.disk_floor_bytes = fs::space(root_).available * 2;
    const auto exit = attack("echo started\n");
    ASSERT_FALSE(exit);
    EXPECT_EQ(exit.error().blame, Blame::infrastructure);
    EXPECT_THAT(exit.error().message, HasSubstr("no build was started: only"));
    EXPECT_EQ(log(), "");
}

TEST_F(HostileMake, EatsNoMemory) {
    make_.sandbox.limits.address_bytes = 256u << 20;
    // tail keeps the last line, and this one has no end.
    const auto exit = attack("head -c 2G /dev/zero | tail -n 1 >/dev/null\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_FALSE(exit->ok());
    EXPECT_THAT(log(), HasSubstr("memory exhausted"));
}

TEST_F(HostileMake, IsTheFirstToDieWhenMemoryIsShort) {
    const auto exit = attack("cat /proc/self/oom_score_adj; ulimit -t -f\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_THAT(log(), HasSubstr("500\n"));
}

TEST_F(HostileMake, SpinsNoLongerThanItMay) {
    make_.sandbox.limits.cpu_s = 1;
    const auto exit = attack("while :; do :; done\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_FALSE(exit->ok());
    EXPECT_THAT(log(), AnyOf(HasSubstr("Killed"), HasSubstr("CPU time limit exceeded")));
}

TEST_F(HostileMake, PaintsNoTerminal) {
    const auto exit = attack(
        "printf '\\033]0;title\\007\\033[2J/src/x.c:1:1: warning: \\033[31mred\\033[0m "
        "[-Wodd]\\n'\n"
        "printf '/src/x.c:1:1: error: \\033[8m\\302\\233hidden\\r\\010\\033(0\\n'\nexit 1\n");
    ASSERT_TRUE(exit) << exit.error().text();
    const auto warnings = parse_warnings(log());
    ASSERT_FALSE(warnings.empty());
    const Error error = failed(Command{}, *exit);
    for (const std::string& text :
         {words(exit), warnings[0].message, warnings[0].file, error.text()})
        for (const char c : text)
            EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
                << static_cast<int>(c) << " in " << text;
    EXPECT_THAT(words(exit), HasSubstr("x.c:1:1: error: "));
    EXPECT_THAT(words(exit), Not(HasSubstr("\u009b"))); // the C1 form of ESC [
}

TEST_F(HostileMake, FloodsNoLog) {
    // More than is kept in lines, and then 100 MiB without one.
    std::size_t longest = 0;
    make_.on_line = [&](std::string_view line) { longest = std::max(longest, line.size()); };
    const auto exit = attack("yes 'a line of output' | head -c 300M\n"
                             "head -c 100M /dev/zero; echo; echo the last words\n");
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok());
    EXPECT_LT(fs::file_size(root_ / "log"), (256u << 20) + 1000);
    EXPECT_THAT(last_lines(log(), 1), HasSubstr("the log's limit is reached"));
    EXPECT_THAT(exit->tail, HasSubstr("the last words"));
    EXPECT_LT(longest, 200'000u);
    EXPECT_LE(exit->output.size(), 16u << 20);
}

TEST_F(HostileMake, AToolThatIsMissingIsNoVerdict) {
    const std::string path = std::getenv("PATH");
    const fs::path tools = root_ / "tools";
    fs::create_directories(tools);
    fs::create_symlink("/bin/sh", tools / "sh");
    ::setenv("PATH", tools.c_str(), 1);
    const auto exit = attack("echo started\n");
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_TRUE(exit);
    const auto verdict = failure_words(*exit, root_ / "log");
    ASSERT_FALSE(verdict) << *verdict;
    EXPECT_THAT(verdict.error().message, HasSubstr("bwrap: not found"));
}

} // namespace
} // namespace kmatrix

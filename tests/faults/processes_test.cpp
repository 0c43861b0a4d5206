// SPDX-License-Identifier: GPL-2.0-only
// Two kmatrix on one cache; a guardian that is killed.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/cache/cache.h"
#include "runner/cache/work_directory.h"
#include "runner/vm/fake_emulator.h"
#include "runner/vm/guardian.h"
#include "runner/vm/guests.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
namespace asio = boost::asio;

class TwoOfThem : public testing::Test {
  protected:
    TwoOfThem() {
        std::string name = (fs::temp_directory_path() / "kmatrix-two-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }
    ~TwoOfThem() override { remove_tree(root_); }

    // Makes or finds the entry as a kmatrix does, writing down who made it. 0: it is whole.
    int use(int milliseconds) const {
        asio::io_context context;
        int status = 1;
        asio::co_spawn(context, get(milliseconds, status), asio::detached);
        context.run();
        return status;
    }
    asio::awaitable<void> get(int milliseconds, int& status) const {
        const Cache cache(root_ / "cache");
        const Cache::Make make = [&](const fs::path& directory) -> asio::awaitable<Result<void>> {
            std::ofstream(root_ / "makers", std::ios::app) << ::getpid() << "\n";
            asio::steady_timer timer(co_await asio::this_coro::executor,
                                     std::chrono::milliseconds(milliseconds));
            co_await timer.async_wait(asio::use_awaitable);
            co_return write_file(directory / "file", "whole");
        };
        const CacheKey key{"kernels", "abc", "x"};
        const auto entry = co_await cache.get(key, make);
        if (entry && read_file(entry->directory() / "file").value_or("") == "whole")
            status = 0;
    }
    std::size_t makers() const {
        const std::string text = read_file(root_ / "makers").value_or("");
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    fs::path root_;
};

TEST_F(TwoOfThem, MakeAThingOfTheCacheOnce) {
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        children.push_back(::fork());
        if (children.back() == 0)
            ::_exit(use(50));
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(makers(), 1u);
}

TEST_F(TwoOfThem, OneThatIsKilledLeavesTheOtherToMakeIt) {
    const pid_t first = ::fork();
    if (first == 0)
        ::_exit(use(100'000));
    while (makers() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const pid_t second = ::fork();
    if (second == 0)
        ::_exit(use(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::kill(first, SIGKILL);
    int status = 0;
    ::waitpid(first, &status, 0);
    ::waitpid(second, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(makers(), 2u);
    EXPECT_FALSE(fs::exists(root_ / "cache/kernels/abc.making"));
}

TEST(KilledGuardian, HarmsNeitherKmatrixNorTheNextSweep) {
    auto guardian = Guardian::start("/bin/sh", {"sh", "-c", "exec 1>&0; printf .; exec cat"});
    ASSERT_TRUE(guardian);
    ::kill(guardian->pid(), SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int i = 0; i < 3; ++i) {
        guardian->remove_at_death("/nonexistent/x");
        guardian->keep("/nonexistent/x");
    }
    {
        const Guardian end = std::move(*guardian);
    } // waits for one that is dead already
    // What it would have killed is found by the next start.
    const Owner dead = {this_process().pid, 1};
    FakeEmulator orphan(guest_name(dead, 1));
    ASSERT_TRUE(orphan.started());
    sweep_guests();
    EXPECT_EQ(orphan.signal(), SIGKILL);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Runs that are killed, interrupted, or meet a full disk at every point there is, and then go on:
// they end as the run that nothing happened to.
#include <csignal>
#include <cstdlib>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "tests/faults/fake_run.h"

namespace kmatrix::faults {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

bool exited(int status, int with) {
    return WIFEXITED(status) && WEXITSTATUS(status) == with;
}

class FaultyRun : public testing::Test {
  protected:
    FaultyRun() {
        std::string name = (fs::temp_directory_path() / "kmatrix-faults-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
        RunOptions counting;
        counting.count_file = root_ / "points";
        const fs::path undisturbed = root_ / "undisturbed" / "run";
        fs::create_directories(undisturbed.parent_path());
        EXPECT_TRUE(exited(run_in_child(undisturbed, counting), 0));
        points_ = std::atoi(read_file(root_ / "points").value_or("0").c_str());
        expected_ = outcome(undisturbed);
        EXPECT_GE(expected_.size(), 20u);
    }
    ~FaultyRun() override { fs::remove_all(root_); }

    fs::path directory(const std::string& name) const {
        fs::create_directories(root_ / name);
        return root_ / name / "run";
    }
    std::string said(const fs::path& run) const {
        return read_file(run.string() + ".err").value_or("");
    }
    // Goes on with the run; true if it ends as the undisturbed one did, file by file.
    void expect_resumed(const fs::path& run, const std::string& after) {
        ASSERT_TRUE(exited(run_in_child(run), 0)) << after << ": " << said(run);
        const auto got = outcome(run);
        for (const auto& [name, text] : expected_) {
            ASSERT_TRUE(got.contains(name)) << after << ": no " << name;
            EXPECT_EQ(got.at(name), text) << after << ": " << name;
        }
        for (const auto& [name, text] : got)
            EXPECT_TRUE(expected_.contains(name)) << after << ": left " << name;
    }
    // As many as there are, or where that is enough, every nth.
    int step(int wanted) const { return std::max(1, points_ / wanted); }

    fs::path root_;
    int points_ = 0;
    std::map<std::string, std::string> expected_;
};

TEST_F(FaultyRun, IsOneWithManyPointsAndAllKindsOfResults) {
    EXPECT_GE(points_, 150);
    for (const char* name : {"run.json", "junit.xml", "report.txt", "report.json", "report.html",
                             "builds/arm64-default-gcc/patched/result.json",
                             "cells/x86_64-default-4cpu-gcc/patched/functional/result.json",
                             "cells/x86_64-default-4cpu-gcc/patched/functional-again/result.json",
                             "cells/x86_64-default-4cpu-gcc/patched/smaps_rollup-4/result.json"})
        EXPECT_TRUE(expected_.contains(name)) << name;
}

TEST_F(FaultyRun, KilledAnywhereItGoesOn) {
    int killed = 0;
    for (int at = 1; at <= points_; ++at) {
        const fs::path run = directory(fmt::format("killed-{}", at));
        RunOptions options;
        options.faults.kill_at = at;
        const int status = run_in_child(run, options);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << at;
        ++killed;
        expect_resumed(run, fmt::format("killed at {} of {}", at, points_));
        if (HasFailure())
            break;
        fs::remove_all(run.parent_path());
    }
    EXPECT_GE(killed, 50);
}

TEST_F(FaultyRun, KilledAgainAndAgainItGoesOn) {
    const fs::path run = directory("again");
    int deaths = 0;
    for (int status = 0; deaths < 1000; ++deaths) {
        RunOptions options;
        options.faults.kill_at = 80;
        status = run_in_child(run, options);
        if (!WIFSIGNALED(status))
            break;
    }
    EXPECT_GE(deaths, 3);
    EXPECT_LT(deaths, 1000);
    expect_resumed(run, "killed at every 80th point");
}

TEST_F(FaultyRun, OnAFullDiskItSaysSoAndGoesOnOnceThereIsRoom) {
    for (int at = 1; at <= points_; at += step(60)) {
        const fs::path run = directory(fmt::format("full-{}", at));
        RunOptions options;
        options.faults.full_from = at;
        const int status = run_in_child(run, options);
        if (at < points_ - 4) { // at the very end there is nothing left to write
            ASSERT_TRUE(exited(status, 3)) << at;
            EXPECT_THAT(said(run), HasSubstr("No space left on device")) << at;
        }
        expect_resumed(run, fmt::format("full from {} of {}", at, points_));
        if (HasFailure())
            break;
        fs::remove_all(run.parent_path());
    }
}

TEST_F(FaultyRun, InterruptedOnceItKeepsWhatIsDone) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        for (int at = 1; at <= points_; at += step(signal == SIGINT ? 50 : 7)) {
            const fs::path run = directory(fmt::format("interrupted-{}-{}", signal, at));
            RunOptions options;
            options.faults.interrupt_at = at;
            options.faults.signal = signal;
            const int status = run_in_child(run, options);
            // Before it listens it dies; while it writes its reports it finishes them.
            EXPECT_TRUE(exited(status, 3) || exited(status, 0) || WIFSIGNALED(status)) << at;
            expect_resumed(run, fmt::format("signal {} at {} of {}", signal, at, points_));
            if (HasFailure())
                return;
            fs::remove_all(run.parent_path());
        }
}

TEST_F(FaultyRun, InterruptedOnceWhileItWorksItStopsInOrder) {
    const fs::path run = directory("once");
    RunOptions options;
    options.faults.interrupt_at = points_ / 2;
    ASSERT_TRUE(exited(run_in_child(run, options), 3));
    const auto loaded = load_run(run);
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(loaded->not_run.empty());
    EXPECT_FALSE(loaded->boots.empty());
    EXPECT_THAT(read_file(run / "report.txt").value_or(""), HasSubstr("not run"));
    expect_resumed(run, "interrupted in its middle");
}

TEST_F(FaultyRun, InterruptedTwiceItEndsAtOnce) {
    for (int at = 20; at <= points_; at += step(25)) {
        const fs::path run = directory(fmt::format("twice-{}", at));
        RunOptions options;
        options.faults.interrupt_at = at;
        options.faults.interrupts = 2;
        const int status = run_in_child(run, options);
        EXPECT_TRUE(exited(status, 3) || exited(status, 0)) << at;
        expect_resumed(run, fmt::format("two signals at {} of {}", at, points_));
        if (HasFailure())
            return;
        fs::remove_all(run.parent_path());
    }
}

TEST_F(FaultyRun, ATerminalThatGoesAwayEndsNothing) {
    const fs::path run = directory("gone");
    RunOptions options;
    options.terminal_gone = true;
    ASSERT_TRUE(exited(run_in_child(run, options), 0)) << said(run);
    EXPECT_EQ(outcome(run), expected_);
}

TEST_F(FaultyRun, AToolThatIsMissingInTheMiddleIsNoVerdict) {
    for (const char* task : {"build arm64-default-gcc patched", "image x86_64",
                             "x86_64-default-4cpu-gcc/patched/functional",
                             "arm64-default-4cpu-gcc/baseline/smaps_rollup-3"}) {
        const fs::path run = directory("missing");
        RunOptions options;
        options.failing_task = task;
        ASSERT_TRUE(exited(run_in_child(run, options), 0)) << said(run);
        const auto loaded = load_run(run);
        ASSERT_TRUE(loaded);
        ASSERT_THAT(loaded->infrastructure, SizeIs(1)) << task;
        EXPECT_THAT(loaded->infrastructure[0].second, HasSubstr("bison: no such program"));
        expect_resumed(run, fmt::format("a tool missing for {}", task));
        fs::remove_all(run.parent_path());
    }
}

TEST_F(FaultyRun, ClocksThatJumpChangeNothing) {
    for (const long by_s : {3600L, 86'400L * 400, -86'400L * 365 * 50}) {
        const fs::path run = directory(fmt::format("clock-{}", by_s));
        RunOptions options;
        options.faults.clock_jumps_by_s = by_s;
        ASSERT_TRUE(exited(run_in_child(run, options), 0)) << said(run);
        EXPECT_EQ(outcome(run), expected_) << by_s;
    }
}

TEST_F(FaultyRun, OneCoreAndTooLittleMemoryOnlyTakeLonger) {
    for (const Capacity capacity : {Capacity{1, 100'000}, Capacity{1, 1}, Capacity{64, 512}}) {
        const fs::path run =
            directory(fmt::format("small-{}-{}", capacity.cpus, capacity.memory_mib));
        RunOptions options;
        options.capacity = capacity;
        ASSERT_TRUE(exited(run_in_child(run, options), 0)) << said(run);
        EXPECT_EQ(outcome(run), expected_);
    }
}

TEST_F(FaultyRun, TwoInOneFolderAreOneThatWorksAndOneThatSaysSo) {
    const fs::path run = directory("shared");
    RunOptions waiting;
    waiting.wait_for = root_ / "go";
    const pid_t first = ::fork();
    if (first == 0)
        ::_exit(run_here(run, waiting));
    while (!is_run(run))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(exited(run_in_child(run), 3));
    EXPECT_THAT(said(run), HasSubstr("locked by another process"));
    ASSERT_TRUE(write_file(root_ / "go", ""));
    int status = 0;
    ::waitpid(first, &status, 0);
    EXPECT_TRUE(exited(status, 0));
    EXPECT_EQ(outcome(run), expected_);
}

// For what this process cannot do to itself: this very program in another mount namespace.
Result<Exit> run_in_namespace(const std::vector<std::string>& mounts, const fs::path& directory) {
    Command command;
    command.argv = {"bwrap", "--dev-bind", "/", "/"};
    command.argv.insert(command.argv.end(), mounts.begin(), mounts.end());
    for (const std::string& word : {std::string("--"), fs::read_symlink("/proc/self/exe").string(),
                                    std::string("--run"), directory.string()})
        command.argv.push_back(word);
    return run_blocking(std::move(command));
}

TEST_F(FaultyRun, ASmallFileSystemIsAnErrorThatSaysSo) {
    const fs::path run = directory("small-disk");
    for (const int kib : {16, 64, 128}) {
        const auto exit = run_in_namespace(
            {"--size", std::to_string(kib << 10), "--tmpfs", run.parent_path().string()}, run);
        ASSERT_TRUE(exit);
        EXPECT_EQ(exit->status, 3) << kib << exit->tail;
        EXPECT_THAT(exit->tail, HasSubstr("No space left on device"));
    }
}

TEST_F(FaultyRun, ResultsThatCannotBeWrittenAreAnErrorThatSaysSo) {
    const fs::path run = directory("read-only");
    const std::string parent = run.parent_path().string();
    const auto begun = run_in_namespace({"--ro-bind", parent, parent}, run);
    ASSERT_TRUE(begun);
    EXPECT_EQ(begun->status, 3);
    EXPECT_THAT(begun->tail, HasSubstr("Read-only file system"));
    // A run whose disk was remounted since.
    RunOptions options;
    options.faults.kill_at = points_ / 2;
    run_in_child(run, options);
    const auto resumed = run_in_namespace({"--ro-bind", parent, parent}, run);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->status, 3);
    EXPECT_THAT(resumed->tail, HasSubstr("Read-only file system"));
    EXPECT_TRUE(load_run(run)); // to be read it is fine
    expect_resumed(run, "a read-only disk");
}

} // namespace
} // namespace kmatrix::faults

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/history/history.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class HistoryTest : public testing::Test {
  protected:
    HistoryTest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-history-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        file = folder / "state/history.sqlite";
    }
    ~HistoryTest() override { fs::remove_all(folder); }

    // Both kernels run the test so often, and the baseline fails so often.
    static RunResult run(const std::string& id, int times, int failures, Arch arch = Arch::x86_64) {
        Cell cell = hand_built::cell(arch);
        cell.selftests = {hand_built::selftest()};
        RunResult run = hand_built::run({cell});
        run.info.id = id;
        run.info.started = "2026-01-" + id + "T12:00:00Z";
        run.info.baseline_commit = "0123456789abcdef";
        run.info.baseline_describe = "7.3.4";
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            BootResult& boot = hand_built::boot(run, kernel, cell.id);
            for (int i = 0; i < times; ++i) {
                const bool fails = kernel == Kernel::baseline && i < failures;
                hand_built::test(boot, "maps", fails ? Status::fail : Status::pass);
            }
            hand_built::test(boot, "skips", Status::skip);
        }
        return run;
    }
    void add(const RunResult& run) const {
        auto history = History::open(file);
        ASSERT_TRUE(history) << history.error().text();
        const auto added =
            history->add(run.info, run.matrix, compare_tests(run, compare_builds(run)));
        ASSERT_TRUE(added) << added.error().text();
    }
    std::vector<HistoryEntry> of(const std::string& test) const {
        return *History::open(file)->by_baseline(test);
    }

    fs::path folder, file;
};

TEST_F(HistoryTest, AddsUpRunsOfABaseline) {
    add(run("01", 20, 1));
    add(run("02", 21, 2));
    const auto entries = of("maps");
    ASSERT_THAT(entries, SizeIs(2));
    EXPECT_EQ(entries[0].kernel, Kernel::baseline);
    EXPECT_EQ(entries[0].test, "proc: maps");
    EXPECT_EQ(entries[0].failed, 3);
    EXPECT_EQ(entries[0].times, 41);
    EXPECT_EQ(entries[0].runs, 2);
    EXPECT_EQ(entries[0].first, "2026-01-01T12:00:00Z");
    EXPECT_EQ(entries[1].kernel, Kernel::patched);
    EXPECT_EQ(entries[1].failed, 0);
    // R 4.2.2: binom.test(3, 41)$conf.int = 0.01535147 0.19924598; 1 - 0.05^(1/41) = 0.0705
    EXPECT_EQ(history_text(entries),
              "proc: maps (x86_64, default)\n"
              "    unpatched 7.3.4 (0123456789ab): failed 3 of 41, 1.5 % to 20 % at 95 %; 2 runs, "
              "2026-01-01 to 2026-01-02\n"
              "    patched 7.3.4 (0123456789ab): failed 0 of 41, below 7.0 % at 95 %; 2 runs, "
              "2026-01-01 to 2026-01-02\n");
    EXPECT_THAT(history_text(of("skips")), HasSubstr("always skipped; 2 runs"));
}

TEST_F(HistoryTest, ARunThatIsAddedAgainIsReplaced) {
    add(run("01", 20, 1));
    add(run("01", 20, 5));
    EXPECT_EQ(of("maps")[0].failed, 5);
    EXPECT_EQ(of("maps")[0].times, 20);
    EXPECT_EQ(*History::open(file)->runs(), 1);
    // The same name on another day is another run.
    RunResult other = run("01", 20, 1);
    other.info.started = "2026-02-01T12:00:00Z";
    add(other);
    EXPECT_EQ(of("maps")[0].failed, 6);
    EXPECT_EQ(*History::open(file)->runs(), 2);
}

TEST_F(HistoryTest, BaselinesAndArchitecturesStandApart) {
    add(run("01", 2, 1));
    RunResult next = run("02", 2, 2);
    next.info.baseline_commit = "fedcba9876543210";
    next.info.baseline_describe = "7.3.5";
    add(next);
    add(run("03", 2, 0, Arch::arm64));
    const auto entries = of("maps");
    ASSERT_THAT(entries, SizeIs(6));
    EXPECT_EQ(entries[0].arch, "arm64");
    EXPECT_EQ(entries[2].baseline_describe, "7.3.5"); // the newer first
    EXPECT_EQ(entries[2].failed, 2);
    EXPECT_EQ(entries[3].baseline_describe, "7.3.4");
    const auto failing = *History::open(file)->failing_unpatched();
    ASSERT_THAT(failing, SizeIs(1));
    EXPECT_EQ(failing[0].failed, 3);
    EXPECT_EQ(failing[0].times, 4);
    EXPECT_EQ(history_text(failing), "proc: maps (x86_64, default)\n    unpatched: failed 3 of 4, "
                                     "19 % to 99 % at 95 %; 2 runs, 2026-01-01 to 2026-01-02\n");
}

TEST_F(HistoryTest, EarlierIsWhatOtherRunsSayOfTestsInQuestion) {
    add(run("01", 20, 1));
    add(run("02", 21, 2));
    add(run("03", 9, 9, Arch::arm64));
    RunResult now = run("04", 1, 0);
    hand_built::test(now.boots[1], "maps", Status::fail);
    add(now); // as a run that is finished a second time finds itself
    auto history = History::open(file);
    const auto earlier =
        history->earlier(now.info, now.matrix, compare_tests(now, compare_builds(now)));
    ASSERT_TRUE(earlier) << earlier.error().text();
    ASSERT_THAT(*earlier, SizeIs(1));
    EXPECT_EQ(earlier->at(0).test, "proc: maps");
    EXPECT_EQ(earlier->at(0).failed, 3);
    EXPECT_EQ(earlier->at(0).runs, 41);
    now.known.failures = *earlier;
    const auto tests = compare_tests(now, compare_builds(now));
    ASSERT_TRUE(tests[0].earlier);
    EXPECT_EQ(tests[0].earlier->hits, 3);
    EXPECT_THAT(whole_why(tests[0]),
                HasSubstr("it failed 3 of 41 times on unpatched kernels before"));
}

TEST_F(HistoryTest, SubtestsAndWhoseTreeTheyAreFromAreKept) {
    RunResult both = run("01", 1, 0);
    for (BootResult& boot : both.boots) {
        boot.tests[0].subtests = {hand_built::subtest("a'b; DROP TABLE runs", "fail")};
        TestRun other = boot.tests[0];
        other.origin = Kernel::baseline;
        boot.tests.push_back(other);
    }
    add(both);
    const auto entries = of("DROP TABLE");
    ASSERT_THAT(entries, SizeIs(4));
    EXPECT_EQ(entries[0].test, "proc: maps: a'b; DROP TABLE runs");
    EXPECT_EQ(entries[0].origin, Kernel::patched);
    EXPECT_EQ(entries[2].origin, Kernel::baseline);
    EXPECT_THAT(history_text(entries), HasSubstr("runs (baseline's) (x86_64, default)"));
}

// Two runs end at once: both wait for the file, and neither is lost.
TEST_F(HistoryTest, TakesTwoWritersAtOnce) {
    constexpr int each = 12;
    const auto write = [&](char series) {
        for (int i = 0; i < each; ++i) {
            RunResult one = run("01", 5, 1);
            one.info.id = fmt::format("{}{}", series, i);
            add(one);
        }
    };
    std::thread a(write, 'a');
    std::thread b(write, 'b');
    a.join();
    b.join();
    EXPECT_EQ(*History::open(file)->runs(), 2u * each);
    EXPECT_EQ(of("maps")[0].failed, 2u * each);
}

TEST_F(HistoryTest, ARunIsThereWholeOrNotAtAll) {
    add(run("01", 5, 1));
    auto database = sqlite::Database::open(file, 0);
    ASSERT_TRUE(database);
    {
        auto transaction = sqlite::Transaction::begin(*database);
        ASSERT_TRUE(transaction);
        ASSERT_TRUE(database->execute("DELETE FROM runs"));
    }
    EXPECT_EQ(*History::open(file)->runs(), 1);
    // Who may not wait is told that another writes.
    auto writer = sqlite::Transaction::begin(*database);
    ASSERT_TRUE(writer);
    auto other = sqlite::Database::open(file, 0);
    const auto second = sqlite::Transaction::begin(*other);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("database is locked"));
}

TEST_F(HistoryTest, BrokenFilesAreErrorsThatNameThem) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << std::string(5000, 'x');
    const auto broken = History::open(file);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().blame, Blame::infrastructure);
    EXPECT_THAT(broken.error().message, HasSubstr("file is not a database"));
    EXPECT_THAT(broken.error().message, HasSubstr(file.string()));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_FALSE(History::open(file));
    std::ofstream(folder / "no-folder") << "x";
    EXPECT_FALSE(History::open(folder / "no-folder" / "history.sqlite"));
}

TEST_F(HistoryTest, AFileOfALaterKmatrixIsLeftAlone) {
    add(run("01", 5, 1));
    ASSERT_TRUE(sqlite::Database::open(file, 0)->execute("PRAGMA user_version = 2"));
    const auto later = History::open(file);
    ASSERT_FALSE(later);
    EXPECT_THAT(later.error().message, HasSubstr("made by another kmatrix (form 2, not 1)"));
}

// A run of a version of one series, with nothing else in it.
RunInfo version(int number, const std::string& id) {
    RunInfo info;
    info.id = id;
    info.started = "2026-01-" + id + "T12:00:00Z";
    info.series.version = number;
    info.series.subject = "mm: do it faster";
    info.series.author = "A <a@x.org>";
    return info;
}

class VersionsTest : public HistoryTest {
  protected:
    void add(const RunInfo& info) const {
        auto history = History::open(file);
        ASSERT_TRUE(history->add(info, {}, {}));
        const auto added = history->add_version(info, "/runs/" + info.id, "Verdict " + info.id);
        ASSERT_TRUE(added) << added.error().text();
    }
    std::optional<EarlierVersion> before(const RunInfo& info) const {
        auto found = History::open(file)->earlier_version(info);
        EXPECT_TRUE(found) << found.error().text();
        return *found;
    }
};

TEST_F(VersionsTest, TheNewestEarlierOneIsFoundByItsLastRun) {
    EXPECT_EQ(before(version(3, "09")), std::nullopt);
    add(version(1, "01"));
    add(version(2, "02"));
    add(version(2, "03"));
    add(version(3, "04"));
    add(version(1, "05"));
    RunInfo other = version(2, "06");
    other.series.author = "B <b@x.org>";
    add(other);
    const auto earlier = before(version(3, "09"));
    ASSERT_TRUE(earlier);
    EXPECT_EQ(earlier->version, 2);
    EXPECT_EQ(earlier->run, "03");
    EXPECT_EQ(earlier->directory, "/runs/03");
    EXPECT_EQ(earlier->verdict, "Verdict 03");
    EXPECT_EQ(earlier->why, "author and subject are the same");
    EXPECT_EQ(before(version(5, "09"))->run, "04");
    EXPECT_EQ(before(version(1, "09")), std::nullopt);
}

TEST_F(VersionsTest, WhatTellsThemIsKept) {
    RunInfo first = version(1, "01");
    first.series.message_id = "1@x";
    first.series.change_id = "20260101-a-0123";
    add(first);
    RunInfo second = version(2, "02");
    second.series.subject = "another";
    second.series.change_id = first.series.change_id;
    EXPECT_EQ(before(second)->why, "both have the change-id 20260101-a-0123");
    second.series.change_id.clear();
    EXPECT_EQ(before(second), std::nullopt);
    second.series.letters.resize(1);
    second.series.letters[0].references = {"0@x", "1@x"};
    EXPECT_THAT(before(second)->why, HasSubstr("one answers the other"));
}

TEST_F(VersionsTest, PartsOfARunAreNone) {
    RunInfo some = version(1, "01");
    some.series.first_patches = 1;
    add(some);
    RunInfo test = version(1, "02");
    test.tests = {"proc:maps"};
    add(test);
    RunInfo noise = version(1, "03");
    noise.noise = true;
    add(noise);
    EXPECT_EQ(before(version(2, "09")), std::nullopt);
    add(version(1, "04"));
    EXPECT_EQ(before(version(2, "09"))->run, "04");
    EXPECT_EQ(before(some), std::nullopt);
}

// An index of before there were versions takes them; a run that is added again is there once.
TEST_F(VersionsTest, AnOlderIndexIsGoneOnWith) {
    ASSERT_TRUE(History::open(file));
    ASSERT_TRUE(sqlite::Database::open(file, 1000)->execute("DROP TABLE versions"));
    add(version(1, "01"));
    add(version(1, "01"));
    EXPECT_EQ(before(version(2, "09"))->run, "01");
    EXPECT_EQ(*History::open(file)->runs(), 1u);
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/store.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "results/json.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view matrix_text = "[axes]\narch = ['x86_64', 'arm64']\nvcpus = [4]\n"
                                         "[[selftest]]\ntarget = 'proc'\n";

class StoreTest : public testing::Test {
  protected:
    StoreTest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-store-XXXXXX").string();
        directory = fs::path(::mkdtemp(name.data())) / "run";
        info.id = "run";
        info.matrix_file = "m.toml";
        info.series.subject = "A subject with \xFF in it";
    }
    ~StoreTest() override { fs::remove_all(directory.parent_path()); }

    // A boot with something in every field.
    static BootResult boot(const std::string& id, BootOutcome outcome) {
        BootResult boot;
        boot.id = id;
        boot.cell = "x86_64-default-4cpu-gcc";
        boot.benchmark = "smaps";
        boot.outcome = std::move(outcome);
        boot.vitals = Vitals{4, 2048, "7.3.4", "x86_64", "quiet", "tsc", "full", 250, 4096, {"a"}};
        TestRun test;
        test.target = "proc";
        test.status = Status::fail;
        test.subtests = {
            {"outer", "ok", "fail", "why", {"line"}, {{"inner", "fail", "fail", "", {}, {}}}}};
        boot.tests = {test};
        Sample sample;
        sample.maps = 1ull << 60;
        sample.histogram_ns = {{1024, 7}};
        sample.cpus = {0, 3};
        boot.samples = {sample};
        boot.findings = {{"bug", "title", "", {"f"}, {"line"}, 12}};
        return boot;
    }

    fs::path directory;
    RunInfo info;
};

TEST_F(StoreTest, WhatIsSavedIsLoadedInTheOrderOfThePlan) {
    auto store = Store::create(directory, info, matrix_text);
    ASSERT_TRUE(store) << store.error().text();
    const Plan planned = plan(store->load()->matrix);
    ASSERT_THAT(planned.boots, SizeIs(4));
    for (std::size_t i = planned.boots.size(); i-- > 0;)
        ASSERT_TRUE(store->save(boot(planned.boots[i].id, Completed{})));
    BuildResult build;
    build.key = planned.builds[1];
    build.warnings = {{"mm/x.c", "-Wunused", "unused", 2}};
    build.log = "builds/x/build.log";
    ASSERT_TRUE(store->save(build));
    RunResult incidents;
    incidents.infrastructure = {{"image arm64", "no disk"}};
    incidents.not_run = {"a"};
    ASSERT_TRUE(store->save_incidents(incidents));

    const auto run = Store::open(directory, false)->load();
    ASSERT_TRUE(run) << run.error().text();
    ASSERT_THAT(run->boots, SizeIs(4));
    for (std::size_t i = 0; i < planned.boots.size(); ++i)
        EXPECT_EQ(run->boots[i].id, planned.boots[i].id);
    const BootResult& loaded = run->boots[0];
    EXPECT_EQ(to_json(loaded), to_json(boot(loaded.id, Completed{})));
    EXPECT_EQ(loaded.vitals->hz, 250);
    EXPECT_EQ(loaded.tests[0].subtests[0].children[0].name, "inner");
    EXPECT_EQ(loaded.samples[0].maps, 1ull << 60);
    EXPECT_EQ(loaded.samples[0].histogram_ns.at(1024), 7u);
    EXPECT_EQ(loaded.findings[0].line, 12u);
    ASSERT_THAT(run->builds, SizeIs(1));
    EXPECT_EQ(run->builds[0].warnings, build.warnings);
    EXPECT_EQ(run->infrastructure, incidents.infrastructure);
    EXPECT_THAT(run->not_run, ElementsAre("a"));
    EXPECT_THAT(run->info.notes, IsEmpty());
}

TEST_F(StoreTest, StepsOfASeriesLieBesideTheRest) {
    info.each_patch = EachPatch::boot;
    info.series.patches = {"one", "two", "three"};
    auto store = Store::create(directory, info, matrix_text);
    ASSERT_TRUE(store) << store.error().text();
    const RunResult planned = *store->load();
    EXPECT_EQ(planned.steps(), 2);
    const std::vector<PlannedBoot> boots = planned.planned_step_boots();
    ASSERT_FALSE(boots.empty());
    EXPECT_EQ(boots.back().patches, 2);
    EXPECT_THAT(boots.back().id, HasSubstr("/patch-2/functional"));
    BuildResult build;
    build.key = plan(planned.matrix).builds[0];
    build.kernel = Kernel::patched;
    ASSERT_TRUE(store->save(build));
    build.patches = 2;
    ASSERT_TRUE(store->save(build));
    BootResult step = boot(boots.back().id, Completed{});
    step.patches = 2;
    ASSERT_TRUE(store->save(step));
    const RunResult run = *store->load();
    ASSERT_THAT(run.builds, SizeIs(1));
    EXPECT_EQ(run.builds[0].patches, 0);
    ASSERT_THAT(run.step_builds, SizeIs(1));
    EXPECT_EQ(run.step_builds[0].patches, 2);
    ASSERT_THAT(run.step_boots, SizeIs(1));
    EXPECT_THAT(run.boots, IsEmpty());
}

TEST_F(StoreTest, EveryOutcomeComesBack) {
    for (const BootOutcome& outcome :
         {BootOutcome(Completed{}), BootOutcome(Panicked{"no init"}), BootOutcome(Reset{}),
          BootOutcome(Hung{1.5}), BootOutcome(NeverBooted{2.5}), BootOutcome(DeadlinePassed{3.5}),
          BootOutcome(AgentLost{"start x"})}) {
        const auto read = boot_from_json(to_json(boot("b", outcome)));
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(sentence(read->outcome), sentence(outcome));
    }
}

TEST_F(StoreTest, TheSeriesLettersComeBackAndOldRunsHaveNone) {
    info.series.cover =
        Letter{"[PATCH 0/1] x",    {"A", "a@x.org"},  "today",   "0@x.org", {"r@x.org"},
               {{"B", "b@x.org"}}, {{"", "c@x.org"}}, "words\n", {},        ""};
    info.series.letters = {*info.series.cover};
    info.series.letters[0].files = {"mm/x.c"};
    info.series.letters[0].sha256 = "hash";
    const std::string text = to_json(info);
    const auto read = info_from_json(text);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(to_json(*read), text);
    ASSERT_TRUE(read->series.cover);
    EXPECT_EQ(read->series.cover->cc[0].address, "c@x.org");
    EXPECT_THAT(read->series.letters[0].files, ElementsAre("mm/x.c"));

    const auto old = info_from_json(R"({"format_version": 1, "id": "1", "series": {
        "subject": "x", "message_id": "0@x.org", "patches": ["one"]}})");
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_EQ(old->series.message_id, "0@x.org");
    EXPECT_FALSE(old->series.cover);
    EXPECT_THAT(old->series.letters, IsEmpty());
}

TEST_F(StoreTest, OneWriterAtATime) {
    auto store = Store::create(directory, info, matrix_text);
    ASSERT_TRUE(store);
    const auto second = Store::open(directory, true);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("locked by another process"));
    EXPECT_TRUE(Store::open(directory, false));
    const auto again = Store::create(directory, info, matrix_text);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().blame, Blame::user);
    EXPECT_THAT(again.error().message, HasSubstr("--resume"));
}

TEST_F(StoreTest, ATornResultIsAsIfNotWonAndIsNoted) {
    auto store = Store::create(directory, info, matrix_text);
    ASSERT_TRUE(store);
    const Plan planned = plan(store->load()->matrix);
    ASSERT_TRUE(store->save(boot(planned.boots[0].id, Completed{})));
    ASSERT_TRUE(store->save(boot(planned.boots[1].id, Completed{})));
    const fs::path file = *store->boot_directory(planned.boots[0].id) / "result.json";
    fs::resize_file(file, fs::file_size(file) / 2);
    std::ofstream(*store->boot_directory(planned.boots[2].id) / "result.json")
        << R"({"format_version": 99})";
    const auto run = store->load();
    ASSERT_TRUE(run);
    EXPECT_THAT(run->boots, SizeIs(1));
    ASSERT_THAT(run->info.notes, SizeIs(2));
    EXPECT_THAT(run->info.notes[0], HasSubstr("not used"));
    EXPECT_THAT(run->info.notes[1], HasSubstr("format version 99"));
}

// What a disk may make of a record: cut short, zeros in its place, a damaged byte.
TEST_F(StoreTest, NoPartOfARecordPassesForTheWhole) {
    const std::string text = to_json(boot("b", Completed{}));
    ASSERT_TRUE(boot_from_json(text));
    const std::size_t end = text.find_last_not_of("\n") + 1;
    for (std::size_t length = 0; length < end; ++length) {
        EXPECT_FALSE(boot_from_json(text.substr(0, length))) << length;
        EXPECT_FALSE(boot_from_json(text.substr(0, length) + std::string(end - length, '\0')))
            << length;
    }
    EXPECT_FALSE(boot_from_json(text + text));
    const std::string run = to_json(info);
    for (std::size_t length = 0; length < run.find_last_not_of("\n") + 1; ++length)
        EXPECT_FALSE(info_from_json(run.substr(0, length))) << length;
}

TEST_F(StoreTest, ADamagedByteIsNoResult) {
    auto store = Store::create(directory, info, matrix_text);
    ASSERT_TRUE(store);
    const std::string id = plan(store->load()->matrix).boots[0].id;
    ASSERT_TRUE(store->save(boot(id, Completed{})));
    const fs::path file = *store->boot_directory(id) / "result.json";
    const std::string text = read_file(file).value();
    // After the name of the checksum: without that it is a result as earlier versions wrote it.
    for (std::size_t at = text.find("sha256") + 6; at < text.size(); at += 7) {
        std::string damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        std::ofstream(file) << damaged;
        const auto run = store->load();
        ASSERT_TRUE(run) << at;
        EXPECT_THAT(run->boots, IsEmpty()) << at;
        EXPECT_THAT(run->info.notes, SizeIs(1)) << at;
    }
}

TEST_F(StoreTest, ATornRunJsonSaysWhatToDo) {
    ASSERT_TRUE(Store::create(directory, info, matrix_text));
    fs::resize_file(directory / "run.json", 20);
    auto store = Store::open(directory, true);
    ASSERT_TRUE(store);
    const auto run = store->load();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().message, HasSubstr("run.json"));
    EXPECT_THAT(run.error().message, HasSubstr("begin a new run"));
}

TEST_F(StoreTest, WhatAKilledWriterLeftGoesWithTheNextWriter) {
    ASSERT_TRUE(Store::create(directory, info, matrix_text));
    const fs::path left = directory / "cells/x/result.json.new-a1B2c3";
    fs::create_directories(left.parent_path());
    std::ofstream(left) << "{";
    ASSERT_TRUE(Store::open(directory, false));
    EXPECT_TRUE(fs::exists(left));
    ASSERT_TRUE(Store::open(directory, true));
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(StoreTest, AFolderWithoutARunIsTheUsersError) {
    const auto store = Store::open(directory, false);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().blame, Blame::user);
}

} // namespace
} // namespace kmatrix

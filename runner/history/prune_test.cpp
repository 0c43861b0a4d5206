// SPDX-License-Identifier: GPL-2.0-only
#include "runner/history/prune.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"
#include "results/store.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr const char* matrix_text = "[axes]\narch = ['x86_64']\nvcpus = [4]\n"
                                    "[[selftest]]\ntarget = 'proc'\ntest = 'maps'\n";

class PruneTest : public testing::Test {
  protected:
    PruneTest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-prune-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        runs = folder / "runs";
    }
    ~PruneTest() override { fs::remove_all(folder); }

    // A run of that day, in which a test failed on baseline.
    void make_run(const std::string& name, const std::string& day) const {
        RunInfo info;
        info.id = name;
        info.started = "2026-01-" + day + "T12:00:00Z";
        info.matrix_file = "matrix.toml";
        const auto store = Store::create(runs / name, info, matrix_text);
        ASSERT_TRUE(store) << store.error().text();
        const auto run = store->load();
        ASSERT_TRUE(run) << run.error().text();
        for (const PlannedBoot& planned : run->planned_boots()) {
            BootResult boot;
            boot.id = planned.id;
            boot.cell = run->matrix.cells.at(planned.cell).id;
            boot.kernel = planned.kernel;
            hand_built::test(boot, "maps",
                             boot.kernel == Kernel::baseline ? Status::fail : Status::pass);
            ASSERT_TRUE(store->save(boot));
        }
    }
    Pruned prune(std::size_t keep, bool dry = false) const {
        auto history = History::open(folder / "history.sqlite");
        auto pruned = kmatrix::prune(runs, keep, *history, dry);
        EXPECT_TRUE(pruned) << pruned.error().text();
        return pruned ? *pruned : Pruned();
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(runs))
            all.push_back(entry.path().filename());
        std::sort(all.begin(), all.end());
        return all;
    }
    fs::path folder, runs;
};

TEST_F(PruneTest, KeepsTheNewestAndWhatTheOthersTaught) {
    make_run("c-oldest", "01");
    make_run("a-middle", "02");
    make_run("b-newest", "03");
    const Pruned pruned = prune(1);
    EXPECT_THAT(pruned.removed, ElementsAre(runs / "a-middle", runs / "c-oldest"));
    EXPECT_THAT(pruned.left, IsEmpty());
    EXPECT_EQ(pruned.kept, 1u);
    EXPECT_THAT(names(), ElementsAre("b-newest"));
    const auto failing = History::open(folder / "history.sqlite")->failing_unpatched();
    ASSERT_THAT(*failing, SizeIs(1));
    EXPECT_EQ(failing->front().runs, 2u); // of those that are gone
}

TEST_F(PruneTest, DryRemovesAndIndexesNothing) {
    make_run("old", "01");
    EXPECT_THAT(prune(0, true).removed, ElementsAre(runs / "old"));
    EXPECT_THAT(names(), ElementsAre("old"));
    EXPECT_EQ(*History::open(folder / "history.sqlite")->runs(), 0u);
}

TEST_F(PruneTest, LeavesWhatIsNoRunOfItsOwn) {
    make_run("old", "01");
    fs::create_directories(runs / "notes");
    std::ofstream(runs / "notes/run.txt") << "mine";
    fs::create_directories(folder / "elsewhere");
    fs::rename(runs / "old", folder / "elsewhere/old");
    fs::create_directory_symlink(folder / "elsewhere/old", runs / "link");
    EXPECT_THAT(prune(0).removed, IsEmpty());
    EXPECT_THAT(names(), ElementsAre("link", "notes"));
    EXPECT_TRUE(fs::exists(folder / "elsewhere/old/run.json"));
}

TEST_F(PruneTest, LeavesWhatIsBeingWorkedOnOrCannotBeRead) {
    make_run("busy", "01");
    make_run("broken", "02");
    std::ofstream(runs / "broken/run.json") << "{";
    const auto store = Store::open(runs / "busy", true);
    ASSERT_TRUE(store);
    const Pruned pruned = prune(0);
    EXPECT_THAT(pruned.removed, IsEmpty());
    EXPECT_THAT(pruned.left, testing::UnorderedElementsAre(Pair(runs / "busy", HasSubstr("lock")),
                                                           Pair(runs / "broken", testing::_)));
    EXPECT_THAT(names(), ElementsAre("broken", "busy"));
}

TEST_F(PruneTest, SaysThatThereIsNoFolder) {
    auto history = History::open(folder / "history.sqlite");
    const auto pruned = kmatrix::prune(folder / "nowhere", 1, *history, false);
    ASSERT_FALSE(pruned);
    EXPECT_EQ(pruned.error().blame, Blame::user);
    EXPECT_THAT(pruned.error().message, HasSubstr("nowhere"));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/limits.h"

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Limits, StandBeforeTheCommand) {
    BuildLimits limits;
    limits.processes = 7;
    limits.file_bytes = 8;
    limits.address_bytes = 9;
    limits.cpu_s = 10;
    EXPECT_THAT(limited(limits, {"make", "x"}),
                ElementsAre("prlimit", "--nproc=7", "--fsize=8", "--as=9", "--cpu=10", "--core=0",
                            "--", "make", "x"));
}

TEST(Limits, ADiskHasRoomOrTheWordsForIt) {
    EXPECT_EQ(disk_objection("/", 1), "");
    EXPECT_EQ(disk_objection("/not/there/yet", 1), "");
    EXPECT_THAT(disk_objection("/not/there/yet", ~0ull), HasSubstr("MiB are free in /, and"));
}

TEST(Limits, GroupsAreAskedOfOurAncestorsOrOfVersionOne) {
    EXPECT_THAT(group_parents("0::/user.slice/user-1000.slice/session-1.scope\n", "/cg"),
                ElementsAre("/cg/user.slice/user-1000.slice", "/cg/user.slice", "/cg"));
    EXPECT_THAT(group_parents("0::/\n", "/cg"), IsEmpty());
    EXPECT_THAT(group_parents("5:cpu,cpuacct:/x\n8:pids:/a/b\n0::/\n", "/cg"),
                ElementsAre("/cg/pids/a/b"));
    EXPECT_THAT(group_parents("", "/cg"), IsEmpty());
    EXPECT_THAT(group_parents("nonsense\n::\n", "/cg"), IsEmpty());
}

TEST(Limits, EnteringKeepsTheWordsAndOpensTheFilter) {
    std::string name = (fs::temp_directory_path() / "kmatrix-limits-XXXXXX").string();
    const fs::path directory = ::mkdtemp(name.data());
    ASSERT_TRUE(write_file(directory / "filter", "the filter\n"));
    for (const fs::path& door : {fs::path(), directory / "door", directory / "no/such/door"}) {
        Command command;
        command.argv = entering(door, directory / "filter",
                                {"sh", "-c", "cat <&9; echo \"$1|$2\"", "sh", "a b", ""});
        const auto exit = run_blocking(command);
        ASSERT_TRUE(exit);
        EXPECT_EQ(exit->output, "the filter\na b|\n") << exit->tail;
    }
    EXPECT_EQ(read_file(directory / "door").value_or(""), "0\n");
    fs::remove_all(directory);
}

} // namespace
} // namespace kmatrix

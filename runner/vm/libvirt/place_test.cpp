// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/vm/guests.h"

namespace kmatrix::libvirt {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class PlaceTest : public ::testing::Test {
  protected:
    PlaceTest() {
        std::string name = "/tmp/pl-XXXXXX";
        directory = ::mkdtemp(name.data());
        ::chmod(directory.c_str(), 0755);
    }
    ~PlaceTest() override { fs::remove_all(directory); }

    fs::path directory;
};

TEST_F(PlaceTest, IsMadeWithoutLettingOthersIn) {
    const auto place = choose_place({directory / "a" / "b"}, false);
    ASSERT_TRUE(place);
    EXPECT_EQ(*place, directory / "a" / "b");
    EXPECT_EQ(fs::status(*place).permissions(), fs::perms(0711));
    EXPECT_EQ(choose_place({directory / "a" / "b"}, false), *place);
}

TEST_F(PlaceTest, LongPathsAreLeftOut) {
    const fs::path long_path = directory / std::string(60, 'x');
    EXPECT_EQ(choose_place({long_path, directory / "short"}, false), directory / "short");
    EXPECT_FALSE(fs::exists(long_path));
}

TEST_F(PlaceTest, APlaceThatOthersMayWriteToIsLeftOut) {
    fs::create_directory(directory / "open");
    ::chmod((directory / "open").c_str(), 01777);
    fs::create_directory_symlink(directory, directory / "link");
    EXPECT_EQ(choose_place({directory / "open", directory / "link", directory / "own"}, false),
              directory / "own");
}

TEST_F(PlaceTest, AnotherUserMustGetThrough) {
    fs::create_directory(directory / "closed");
    ::chmod((directory / "closed").c_str(), 0700);
    const std::vector<fs::path> candidates = {directory / "closed" / "vm", directory / "vm"};
    EXPECT_EQ(choose_place(candidates, true), directory / "vm");
    EXPECT_EQ(choose_place(candidates, false), directory / "closed" / "vm");
}

TEST_F(PlaceTest, WithoutAnyTheReasonsAreSaid) {
    const auto place = choose_place({"/proc/nothing", directory / std::string(60, 'x')}, false);
    ASSERT_FALSE(place);
    EXPECT_THAT(place.error().message, HasSubstr("\n  /proc/nothing cannot be made: "));
    EXPECT_THAT(place.error().message, HasSubstr("xxx is longer than 45 bytes"));
    EXPECT_THAT(place.error().message, HasSubstr("XDG_RUNTIME_DIR"));
}

TEST_F(PlaceTest, SocketsBelowTheLongestPlaceFit) {
    // What libvirt 9.0 makes, and sockaddr_un::sun_path of 108 bytes with its NUL.
    const std::string longest =
        std::string(45, 'x') + "/vm-63/lib/qemu/domain-99999-kmatrix-123456-12345/monitor.sock";
    EXPECT_LE(longest.size(), 107u);
}

TEST(QemuConf, OnlyRootChoosesQemusUser) {
    EXPECT_THAT(qemu_conf(""), Not(HasSubstr("user =")));
    EXPECT_THAT(qemu_conf("libvirt-qemu"),
                HasSubstr("\nuser = \"libvirt-qemu\"\ngroup = \"libvirt-qemu\"\n"));
    EXPECT_THAT(qemu_conf(""), HasSubstr("\nseccomp_sandbox = 1\n"));
}

TEST_F(PlaceTest, FoldersOfTheDeadAreSwept) {
    const Owner dead{this_process().pid, 1};
    const fs::path theirs = directory / "guests" / guest_name(dead, 1);
    const fs::path ours = directory / "guests" / guest_name(this_process(), 1);
    const fs::path other = directory / "guests" / "other";
    for (const fs::path& path : {theirs, ours, other})
        ASSERT_TRUE(write_file(path / "kernel", "x"));
    sweep_folders(directory);
    EXPECT_FALSE(fs::exists(theirs));
    EXPECT_TRUE(fs::exists(ours / "kernel"));
    EXPECT_TRUE(fs::exists(other / "kernel"));
}

TEST_F(PlaceTest, AProcessHasOneRootAndNobodyElseHasIt) {
    // The root of another kmatrix, and what one that died left in the next.
    const auto others = FileLock::take(directory / "vm-0.lock");
    ASSERT_TRUE(others);
    ASSERT_TRUE(write_file(directory / "vm-1" / "run" / "qemu" / "left.pid", "1"));
    ASSERT_TRUE(write_file(directory / "vm-1" / "cache" / "capabilities", "x"));

    const auto root = embed_root(directory);
    ASSERT_TRUE(root);
    EXPECT_EQ(root->path, directory / "vm-1");
    EXPECT_FALSE(fs::exists(root->path / "run"));
    EXPECT_TRUE(fs::exists(root->path / "cache" / "capabilities"));
    EXPECT_THAT(read_file(root->path / "etc" / "qemu.conf").value(), HasSubstr("seccomp"));
    EXPECT_FALSE(FileLock::try_take(directory / "vm-1.lock"));
    EXPECT_EQ(embed_root(directory)->path, root->path);
}

} // namespace
} // namespace kmatrix::libvirt

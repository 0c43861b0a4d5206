// SPDX-License-Identifier: GPL-2.0-only
// Archives are read back with libarchive's reader, and headers by hand.
#include "images/initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Directory = ImageEntry::Directory;
using HostFile = ImageEntry::HostFile;
using Content = ImageEntry::Content;
using Symlink = ImageEntry::Symlink;

// "d 755 kmatrix", "f 644 kmatrix/plan.json {}", "l bin/sh busybox", and all else that must be.
std::vector<std::string> listing(const std::string& bytes) {
    std::vector<std::string> lines;
    archive* reader = archive_read_new();
    archive_read_support_format_cpio(reader);
    EXPECT_EQ(archive_read_open_memory(reader, bytes.data(), bytes.size()), ARCHIVE_OK);
    archive_entry* entry = nullptr;
    while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
        EXPECT_EQ(archive_entry_uid(entry), 0);
        EXPECT_EQ(archive_entry_gid(entry), 0);
        EXPECT_EQ(archive_entry_mtime(entry), 0);
        const std::string path = archive_entry_pathname(entry);
        char mode[16];
        std::snprintf(mode, sizeof mode, "%o", static_cast<unsigned>(archive_entry_perm(entry)));
        if (archive_entry_filetype(entry) == AE_IFDIR) {
            lines.push_back(std::string("d ") + mode + " " + path);
        } else if (archive_entry_filetype(entry) == AE_IFLNK) {
            lines.push_back("l " + path + " " + archive_entry_symlink(entry));
        } else {
            std::string content(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
            EXPECT_EQ(archive_read_data(reader, content.data(), content.size()),
                      static_cast<la_ssize_t>(content.size()));
            lines.push_back(std::string("f ") + mode + " " + path + " " + content);
        }
    }
    archive_read_free(reader);
    return lines;
}

class Initramfs : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "kmatrix-initramfs-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override { fs::remove_all(folder); }

    fs::path put(const std::string& name, const std::string& content, unsigned mode = 0640) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << content;
        fs::permissions(folder / name, static_cast<fs::perms>(mode));
        return folder / name;
    }
    std::string contents(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder;
};

TEST_F(Initramfs, HoldsWhatWasAskedForAndItsParents) {
    const auto file = put("program", "bytes", 0600);
    const auto bytes = initramfs_bytes({{"/usr/bin/program", HostFile{file}, 0755},
                                        {"/init", Content{"#!"}, 0700},
                                        {"/bin/sh", Symlink{"busybox"}},
                                        {"/tmp", Directory{}, 01777}});
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_THAT(listing(*bytes),
                ElementsAre("d 755 bin", "l bin/sh busybox", "f 700 init #!", "d 1777 tmp",
                            "d 755 usr", "d 755 usr/bin", "f 755 usr/bin/program bytes"));
}

// A newc header is "070701" and 13 fields of 8 hexadecimal digits: ino, mode, uid, gid, nlink,
// mtime, filesize, devmajor, devminor, rdevmajor, rdevminor, namesize, check.
TEST_F(Initramfs, HeaderByHand) {
    const auto bytes = initramfs_bytes({{"/a", Content{"xyz"}, 0644}});
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->substr(0, 110), "070701"
                                     "00000001"
                                     "000081a4"
                                     "00000000"
                                     "00000000"
                                     "00000001"
                                     "00000000"
                                     "00000003"
                                     "00000000"
                                     "00000000"
                                     "00000000"
                                     "00000000"
                                     "00000002"
                                     "00000000");
    EXPECT_EQ(bytes->substr(110, 2), std::string("a\0", 2));
    EXPECT_EQ(bytes->substr(112, 4), std::string("xyz\0", 4)); // padded to four
    EXPECT_THAT(*bytes, HasSubstr("TRAILER!!!"));
    EXPECT_EQ(bytes->size() % 4, 0u);
    EXPECT_LT(bytes->size(), 300u);
}

TEST_F(Initramfs, OrderOfEntriesDoesNotMatter) {
    const ImageEntry one{"/a/b", Content{"1"}, 0644};
    const ImageEntry two{"/a-b", Content{"2"}, 0644};
    const ImageEntry three{"/a", Directory{}, 0700};
    const auto forth = initramfs_bytes({one, two, three});
    const auto back = initramfs_bytes({three, two, one});
    ASSERT_TRUE(forth && back);
    EXPECT_EQ(*forth, *back);
    EXPECT_THAT(listing(*forth), ElementsAre("d 700 a", "f 644 a-b 2", "f 644 a/b 1"));
}

TEST_F(Initramfs, ADirectoryMayComeTwiceAndAFileNot) {
    EXPECT_TRUE(initramfs_bytes({{"/a", Directory{}, 0755}, {"/a", Directory{}, 0755}}));
    const auto twice = initramfs_bytes({{"/a", Content{"1"}, 0644}, {"/a", Content{"1"}, 0644}});
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message, "/a is in the image twice");
    EXPECT_FALSE(initramfs_bytes({{"/a", Directory{}, 0755}, {"/a", Symlink{"b"}}}));
}

TEST_F(Initramfs, NothingGoesThroughAFileOrALink) {
    const auto below = initramfs_bytes({{"/a", Symlink{"/etc"}}, {"/a/passwd", Content{""}, 0644}});
    ASSERT_FALSE(below);
    EXPECT_THAT(below.error().message, HasSubstr("/a/passwd is in the image, below /a"));
}

TEST_F(Initramfs, OddPathsAreRefused) {
    for (const std::string path : {"", "/", "a", "/a/", "/a/../b", "//a", "/./a", "/..", "/a/.."}) {
        EXPECT_FALSE(initramfs_bytes({{path, Content{""}, 0644}})) << path;
    }
}

TEST_F(Initramfs, AHostFileIsNotReachedThroughALink) {
    put("secret", "s");
    fs::create_symlink("secret", folder / "link");
    const auto bytes = initramfs_bytes({{"/f", HostFile{folder / "link"}, 0644}});
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().message, HasSubstr("/f: cannot read"));
    EXPECT_THAT(bytes.error().message, HasSubstr("/link: "));
    EXPECT_FALSE(initramfs_bytes({{"/f", HostFile{"/dev/null"}, 0644}}));
    EXPECT_FALSE(initramfs_bytes({{"/f", HostFile{folder / "gone"}, 0644}}));
}

TEST_F(Initramfs, Trees) {
    put("tree/read", "elf", 0750);
    put("tree/sub/config", "A=y", 0600);
    fs::create_symlink("../../etc/passwd", folder / "tree/sub/link");
    fs::create_directory(folder / "tree/empty");
    const auto entries = directory_tree(folder / "tree", "/selftests/patched/proc");
    ASSERT_TRUE(entries) << entries.error().message;
    const auto bytes = initramfs_bytes(*entries);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_THAT(listing(*bytes),
                ElementsAre("d 755 selftests", "d 755 selftests/patched",
                            "d 755 selftests/patched/proc", "d 755 selftests/patched/proc/empty",
                            "f 755 selftests/patched/proc/read elf",
                            "d 755 selftests/patched/proc/sub",
                            "f 644 selftests/patched/proc/sub/config A=y",
                            "l selftests/patched/proc/sub/link ../../etc/passwd"));
}

TEST_F(Initramfs, TreesRefuseWhatIsNoFile) {
    put("tree/file", "");
    ASSERT_EQ(mkfifo((folder / "tree/fifo").c_str(), 0600), 0);
    const auto entries = directory_tree(folder / "tree", "/t");
    ASSERT_FALSE(entries);
    EXPECT_THAT(entries.error().message, HasSubstr("tree/fifo is a device, socket or FIFO"));
    const auto gone = directory_tree(folder / "gone", "/t");
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, HasSubstr("/gone for an image: No such file"));
}

TEST_F(Initramfs, IsWrittenWholeOrNotAtAll) {
    const fs::path file = folder / "new/image.cpio";
    ASSERT_TRUE(write_initramfs({{"/a", Content{"1"}, 0644}}, file));
    EXPECT_THAT(listing(contents(file)), ElementsAre("f 644 a 1"));
    const auto bad = write_initramfs(
        {{"/a", Content{std::string(3 << 20, 'x')}, 0644}, {"/b", HostFile{folder / "gone"}, 0644}},
        file);
    EXPECT_FALSE(bad);
    EXPECT_THAT(listing(contents(file)), ElementsAre("f 644 a 1"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "new"), {}), 1);
}

TEST_F(Initramfs, ALargeFileComesWhole) {
    std::string large(5'000'001, 'x');
    large[1 << 20] = 'y';
    const auto file = put("large", large);
    ASSERT_TRUE(write_initramfs({{"/large", HostFile{file}, 0644}}, folder / "image"));
    EXPECT_EQ(listing(contents(folder / "image"))[0], "f 644 large " + large);
}

TEST_F(Initramfs, ThePlanFollowsTheBaseAtFourBytes) {
    const auto plan = make_plan_archive("{}");
    ASSERT_TRUE(plan);
    EXPECT_THAT(listing(*plan), ElementsAre("d 755 kmatrix", "f 644 kmatrix/plan.json {}"));
    for (const std::string base : {"1234", "12345", "1234567"}) {
        put("base", base);
        ASSERT_TRUE(concatenate(folder / "base", *plan, folder / "initrd"));
        const std::string whole = contents(folder / "initrd");
        const std::size_t start = base == "1234" ? 4 : 8;
        EXPECT_EQ(whole.substr(0, base.size()), base);
        EXPECT_EQ(whole.substr(start), *plan);
    }
    EXPECT_FALSE(concatenate(folder / "gone", *plan, folder / "initrd2"));
    EXPECT_FALSE(fs::exists(folder / "initrd2"));
}

} // namespace
} // namespace kmatrix

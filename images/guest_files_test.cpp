// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest_files.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GuestFilesTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "kmatrix-guest-files-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        setenv("KMATRIX_GUEST_DIR", (folder / "programs").c_str(), 1);
        if (const char* cache = std::getenv("XDG_CACHE_HOME")) {
            old_cache = cache;
        }
        setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    }
    void TearDown() override {
        unsetenv("KMATRIX_GUEST_DIR");
        if (old_cache.empty()) {
            unsetenv("XDG_CACHE_HOME");
        } else {
            setenv("XDG_CACHE_HOME", old_cache.c_str(), 1);
        }
        fs::remove_all(folder);
    }
    void put(const fs::path& path) {
        fs::create_directories((folder / path).parent_path());
        std::ofstream(folder / path) << "x";
    }
    fs::path folder;
    std::string old_cache;
};

TEST_F(GuestFilesTest, AreFound) {
    put("programs/arm64/kmatrix-agent");
    put("programs/arm64/procfs-latency");
    put("cache/kmatrix/guest/arm64/bin/busybox");
    const auto files = find_guest_files(Arch::arm64);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ(files->agent, folder / "programs/arm64/kmatrix-agent");
    EXPECT_EQ(files->procfs_latency, folder / "programs/arm64/procfs-latency");
    EXPECT_EQ(files->busybox, folder / "cache/kmatrix/guest/arm64/bin/busybox");
}

TEST_F(GuestFilesTest, ErrorsSayWhatBringsThem) {
    put("programs/arm64/kmatrix-agent");
    auto files = find_guest_files(Arch::x86_64);
    ASSERT_FALSE(files);
    EXPECT_THAT(files.error().message, HasSubstr("programs/x86_64/kmatrix-agent"));
    EXPECT_THAT(files.error().message, HasSubstr("build kmatrix whole"));
    files = find_guest_files(Arch::arm64);
    ASSERT_FALSE(files);
    EXPECT_THAT(files.error().message, HasSubstr("program procfs-latency is missing"));
    put("programs/arm64/procfs-latency");
    files = find_guest_files(Arch::arm64);
    ASSERT_FALSE(files);
    EXPECT_THAT(files.error().message, HasSubstr("guest/arm64/bin/busybox is missing"));
    EXPECT_THAT(files.error().message, HasSubstr("tools/fetch-guest"));
}

TEST_F(GuestFilesTest, WithoutTheVariableTheBuildsOwnAreFound) {
    unsetenv("KMATRIX_GUEST_DIR");
    for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
        put("cache/kmatrix/guest/" + std::string(to_string(arch)) + "/bin/busybox");
        const auto files = find_guest_files(arch);
        ASSERT_TRUE(files) << files.error().message;
        EXPECT_TRUE(fs::is_regular_file(files->agent));
    }
}

TEST_F(GuestFilesTest, MakeAnImage) {
    put("programs/x86_64/kmatrix-agent");
    put("programs/x86_64/procfs-latency");
    put("cache/kmatrix/guest/x86_64/bin/busybox");
    const auto files = find_guest_files(Arch::x86_64);
    ASSERT_TRUE(files);
    const auto image = initramfs_bytes(base_entries(*files));
    ASSERT_TRUE(image) << image.error().message;
    for (const char* path : {"init", "bin/busybox", "bin/sh", "kmatrix/procfs-latency", "proc"}) {
        EXPECT_THAT(*image, HasSubstr(std::string(path) + '\0')) << path;
    }
}

} // namespace
} // namespace kmatrix

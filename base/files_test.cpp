// SPDX-License-Identifier: GPL-2.0-only
#include "base/files.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace kmatrix {
namespace {
namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    Files() {
        std::string name = (fs::temp_directory_path() / "kmatrix-files-XXXXXX").string();
        directory = ::mkdtemp(name.data());
    }
    ~Files() override { fs::remove_all(directory); }
    fs::path directory;
};

TEST_F(Files, WhatIsWrittenIsReadAndNothingElseIsLeft) {
    const fs::path path = directory / "a/b/file";
    ASSERT_TRUE(write_file(path, "first"));
    ASSERT_TRUE(write_file(path, "second"));
    EXPECT_EQ(read_file(path).value(), "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()),
              1);
    // `printf second | sha256sum`
    EXPECT_EQ(sha256_file(path).value(),
              "16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4");
}

TEST_F(Files, ErrorsNameThePathAndTheReason) {
    const auto missing = read_file(directory / "none");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("none: cannot be read: No such file"),
              std::string::npos);
    ASSERT_TRUE(write_file(directory / "file", ""));
    EXPECT_FALSE(write_file(directory / "file/under", ""));
    EXPECT_FALSE(write_file(directory, "a directory is there"));
}

TEST_F(Files, WhatAKilledWriterLeftIsRemovedAndNothingElse) {
    for (const char* name : {"a/result.json.new-Ab3xYz", "a/b/run.json.new-000000"})
        ASSERT_TRUE(write_file(directory / name, "half"));
    for (const char* name : {"a/result.json", "a/x.new-toolong7", "a/news.new-", "new-Ab3xYz"})
        ASSERT_TRUE(write_file(directory / name, "whole"));
    remove_temporaries(directory);
    EXPECT_FALSE(fs::exists(directory / "a/result.json.new-Ab3xYz"));
    EXPECT_FALSE(fs::exists(directory / "a/b/run.json.new-000000"));
    for (const char* name : {"a/result.json", "a/x.new-toolong7", "a/news.new-", "new-Ab3xYz"})
        EXPECT_EQ(read_file(directory / name).value_or("gone"), "whole") << name;
}

TEST_F(Files, ALockIsHeldUntilItsEnd) {
    const fs::path path = directory / "lock";
    {
        auto held = FileLock::take(path);
        ASSERT_TRUE(held);
        EXPECT_FALSE(FileLock::try_take(path));
        FileLock moved = std::move(*held);
        EXPECT_FALSE(FileLock::try_take(path));
    }
    EXPECT_TRUE(FileLock::try_take(path));
}

TEST_F(Files, XdgDirectories) {
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(cache_directory(), "/somewhere/kmatrix");
    ::setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
    ::setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(cache_directory(), "/home/someone/.cache/kmatrix");
    ::unsetenv("XDG_STATE_HOME");
    EXPECT_EQ(state_directory(), "/home/someone/.local/state/kmatrix");
}

} // namespace
} // namespace kmatrix

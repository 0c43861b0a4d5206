// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/capped_log.h"

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/files.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CappedLogTest : public ::testing::Test {
  protected:
    CappedLogTest() {
        std::string name = (fs::temp_directory_path() / "capped-log-XXXXXX").string();
        directory = ::mkdtemp(name.data());
    }
    ~CappedLogTest() override { fs::remove_all(directory); }

    // The file after these writes.
    std::string after(std::uint64_t limit_bytes, const std::vector<std::string>& writes) {
        auto log = CappedLog::create(directory / "sub" / "log", limit_bytes);
        EXPECT_TRUE(log);
        for (const std::string& bytes : writes)
            EXPECT_TRUE(log->write(bytes));
        EXPECT_TRUE(log->finish());
        return read_file(directory / "sub" / "log").value();
    }

    fs::path directory;
};

TEST_F(CappedLogTest, KeepsAllBelowTheLimit) {
    EXPECT_EQ(after(8, {"one", "", "two"}), "onetwo");
    EXPECT_EQ(after(6, {"one", "two"}), "onetwo");
}

TEST_F(CappedLogTest, LittleMoreThanTheLimitIsWholeToo) {
    EXPECT_EQ(after(4, {"one", "two", "three"}), "onetwothree");
}

TEST_F(CappedLogTest, KeepsTheBeginningAndTheLastBytes) {
    // 4 + 200,000 + 3 bytes written, 100 kept at once, the last 65,536 at the end.
    const std::string text = after(100, {"head", std::string(200'000, 'x'), "end"});
    EXPECT_THAT(text, StartsWith("head" + std::string(96, 'x') + "\n[kmatrix: "));
    EXPECT_THAT(text, HasSubstr(" 134371 bytes are left out here]\nxxx"));
    EXPECT_THAT(text, EndsWith("]\n" + std::string(65'533, 'x') + "end"));
}

TEST_F(CappedLogTest, RecentIsWhatCameLast) {
    auto log = CappedLog::create(directory / "log", 2);
    ASSERT_TRUE(log);
    EXPECT_TRUE(log->write("panic"));
    EXPECT_EQ(log->recent(), "panic");
    EXPECT_TRUE(log->write(std::string(65'535, 'y')));
    EXPECT_EQ(log->recent(), "c" + std::string(65'535, 'y'));
}

TEST_F(CappedLogTest, AFileThatCannotBeMadeOrWrittenIsAnError) {
    ASSERT_TRUE(write_file(directory / "file", ""));
    const auto inside_file = CappedLog::create(directory / "file" / "log", 2);
    ASSERT_FALSE(inside_file);
    EXPECT_THAT(inside_file.error().message, HasSubstr("cannot be written"));

    auto full = CappedLog::create("/dev/full", 100);
    ASSERT_TRUE(full);
    const auto written = full->write("x");
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("/dev/full: cannot be written: No space"));
    EXPECT_FALSE(full->finish());
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "base/reading_sandbox.h"

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(ReadingSandbox, SeesTheFileAndNothingElseOfTheHost) {
    std::string name = (fs::temp_directory_path() / "kmatrix-reading-XXXXXX").string();
    const fs::path directory = ::mkdtemp(name.data());
    ASSERT_TRUE(write_file(directory / "file", "to be read"));
    ASSERT_TRUE(write_file(directory / "secret", "SECRET"));
    Command command;
    const std::string script = "cat " + (directory / "file").string() + "; cat " +
                               (directory / "secret").string() +
                               " /etc/passwd; ls /root /home; echo x > " +
                               (directory / "file").string() + "; grep -c : /proc/net/dev";
    command.argv = reading_only({"sh", "-c", script}, directory / "file");
    const auto exit = run_blocking(command);
    ASSERT_TRUE(exit);
    EXPECT_THAT(exit->output, HasSubstr("to be read"));
    EXPECT_THAT(exit->output, HasSubstr("to be read1\n")); // the loopback device alone
    EXPECT_THAT(exit->output, Not(HasSubstr("SECRET")));
    EXPECT_THAT(exit->output, Not(HasSubstr("root:")));
    EXPECT_THAT(exit->tail, HasSubstr("/root"));
    EXPECT_EQ(read_file(directory / "file").value_or("gone"), "to be read");
    fs::remove_all(directory);
}

} // namespace
} // namespace kmatrix

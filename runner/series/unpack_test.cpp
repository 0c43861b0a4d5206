// SPDX-License-Identifier: GPL-2.0-only
// The bytes are what gzip(1) writes: printf 'hello\n' | gzip -n | xxd -i
#include "runner/series/unpack.h"

#include <gmock/gmock.h>

#include "base/command.h"

namespace kmatrix {
namespace {

using testing::HasSubstr;

const std::string
    hello("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20"
          "\x30\x3a\x36\x06\x00\x00\x00",
          26);

TEST(Unpack, ReadsAllMembers) {
    EXPECT_TRUE(is_gzip(hello));
    EXPECT_FALSE(is_gzip("From a"));
    EXPECT_EQ(gunzip(hello, 100).value_or(""), "hello\n");
    EXPECT_EQ(gunzip(hello + hello, 100).value_or(""), "hello\nhello\n");
}

TEST(Unpack, RefusesWhatIsCutShort) {
    for (const std::size_t size : {2u, 12u, 20u}) {
        const auto text = gunzip(hello.substr(0, size), 100);
        ASSERT_FALSE(text) << size;
        EXPECT_EQ(text.error().blame, Blame::user);
        EXPECT_THAT(text.error().message, HasSubstr("cannot be unpacked"));
    }
}

TEST(Unpack, StopsAtItsLimit) {
    EXPECT_TRUE(gunzip(hello, 6));
    const auto text = gunzip(hello, 5);
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().message, HasSubstr("more than a series can be"));
}

TEST(Unpack, RefusesABomb) {
    Command command; // 200 MiB of nothing, 200 KB packed
    command.argv = {"sh", "-c", "head -c 200M /dev/zero | gzip"};
    const auto packed = run_blocking(command);
    ASSERT_TRUE(packed && packed->ok());
    EXPECT_FALSE(gunzip(packed->output, 64u << 20));
}

} // namespace
} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/seal.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

// `printf '{\n "a": 1\n}\n' | sha256sum`
constexpr const char* json = "{\n \"a\": 1\n}\n";
constexpr const char* with_seal =
    "{\n \"sha256\": \"b606a40d68ae742be63266c691e611efd8bfa4375628a5d31b8f5962a71afa47\",\n "
    "\"a\": 1\n}\n";

TEST(Seal, IsAFieldOfTheObject) {
    EXPECT_EQ(sealed(json), with_seal);
    EXPECT_EQ(unsealed(with_seal).value_or("refused"), json);
    EXPECT_EQ(unsealed(json).value_or("refused"), json); // of an earlier version
}

TEST(Seal, NoDamageIsMissed) {
    const std::string text = with_seal;
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char byte : {'\0', 'x', '"', '\xff'}) {
            std::string damaged = text;
            damaged[at] = byte;
            const auto read = unsealed(damaged);
            // What is damaged in the seal's own words is no seal, and not what was sealed either.
            EXPECT_TRUE(damaged == text || !read || read == damaged) << at;
        }
        EXPECT_NE(unsealed(text.substr(0, at)).value_or(""), json) << at;
    }
    EXPECT_FALSE(unsealed(text + " "));
}

} // namespace
} // namespace kmatrix

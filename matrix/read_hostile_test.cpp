// SPDX-License-Identifier: GPL-2.0-only
// Files that no person writes: none may crash, hang, or be taken for a matrix.
#include <random>

#include <gmock/gmock.h>

#include "base/text.h"
#include "matrix/read.h"

namespace kmatrix {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string hostile_error(std::string_view text) {
    const Result<Matrix> matrix = parse_matrix(text, "m.toml");
    return matrix ? "" : matrix.error().message;
}

std::string repeated(std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
        text += part;
    return text;
}

TEST(HostileMatrix, IsRefusedWithItsPlace) {
    EXPECT_THAT(hostile_error("[axes\n"), StartsWith("m.toml:1:6: not TOML: "));
    EXPECT_THAT(hostile_error("a = 1\na = 2\n"), StartsWith("m.toml:2:5: not TOML: "));
    EXPECT_THAT(hostile_error(std::string_view("a = \"x\0y\"\n", 10)),
                StartsWith("m.toml:1:7: not T"));
    EXPECT_THAT(hostile_error("a = \"\xff\xfe\"\n"), HasSubstr("invalid utf-8"));
    EXPECT_THAT(hostile_error("a = \"\xc0\x80\"\n"), HasSubstr("not TOML"));
    EXPECT_THAT(hostile_error("a = 99999999999999999999\n"), HasSubstr("not representable"));
    EXPECT_THAT(hostile_error("a = 1e99999\n"), HasSubstr("not TOML"));
}

TEST(HostileMatrix, MayNestAsDeepAsItLikes) {
    EXPECT_THAT(hostile_error("a = " + repeated("[", 100'000)), HasSubstr("maximum nested"));
    EXPECT_THAT(hostile_error("a = " + repeated("{a=", 50'000)), HasSubstr("maximum nested"));
    // toml++ counts no levels here, and overflows the stack at some 50,000.
    EXPECT_THAT(hostile_error("[a" + repeated(".a", 100'000) + "]\n"),
                HasSubstr("more than 4096 dots"));
    EXPECT_THAT(hostile_error("a" + repeated(".a", 100'000) + " = 1\n"),
                HasSubstr("more than 4096 dots"));
    // As deep as is let through.
    EXPECT_THAT(hostile_error("[a" + repeated(".a", 4'096) + "]\n"), HasSubstr("a: unknown key"));
    EXPECT_THAT(hostile_error(std::string(1 << 20, '#')), HasSubstr("1048576 bytes; expected"));
}

TEST(HostileMatrix, CannotMakeAPatternExplode) {
    const auto with_pattern = [](const std::string& pattern) {
        return hostile_error("[axes]\nvcpus=[4]\n[[benchmark]]\nname='a'\ncommand='b'\npattern='" +
                             pattern + "'\n");
    };
    EXPECT_THAT(with_pattern(repeated("(", 400)), HasSubstr("benchmark.pattern: "));
    EXPECT_THAT(with_pattern(repeated("(", 501)), HasSubstr("501 bytes long"));
    EXPECT_EQ(with_pattern(repeated("(", 249) + repeated(")", 249)), "");
    // Costs nothing to compile; matching gives up in time (results/samples_test.cpp).
    EXPECT_EQ(with_pattern("((((x{999}){999}){999}){999})"), "");
    EXPECT_THAT(with_pattern("(x{99999999999999999999})"), HasSubstr("benchmark.pattern: "));
    EXPECT_THAT(with_pattern("[[:nope:]](x)"), HasSubstr("benchmark.pattern: "));
}

TEST(HostileMatrix, PrintsNothingThatHarmsATerminal) {
    const std::string error = hostile_error(R"(
        [axes]
        arch = ["\u001b[31mred\u0007\u0000\n"]
        "key\u001b]0;title\u0007" = 1
        [vm]
        uri = "qemu+ssh://\u001b[2J/system"
        accel = "\u001b[1m"
        [[include]]
        selftests = ["\u001b[1m"]
    )");
    EXPECT_EQ(error, printable(error));
    EXPECT_THAT(error, HasSubstr("axes.arch"));
    EXPECT_THAT(error, HasSubstr("is on another machine"));
}

TEST(HostileMatrix, MayHaveEverySectionOfEveryType) {
    for (const char* section :
         {"axes", "include", "exclude", "vm", "selftest", "benchmark", "gate"})
        for (const char* value : {"1", "1.5", "\"x\"", "true", "[]", "[1]", "[[]]", "{}", "{a = 1}",
                                  "[{}]", "[{}, 1]", "07:32:00"}) {
            const std::string text = std::string(section) + " = " + value + "\n";
            const Result<Matrix> matrix = parse_matrix(text, "m.toml");
            if (!matrix)
                EXPECT_THAT(matrix.error().message, StartsWith("m.toml:")) << text;
            else // an include of nothing but defaults is the only one that makes a matrix
                EXPECT_EQ(text, "include = [{}]\n");
        }
}

TEST(HostileMatrix, SurvivesManyWrongValues) {
    EXPECT_THAT(hostile_error("[axes]\narch = [" + repeated("1,", 100'000) + "]\n"),
                HasSubstr("and many more"));
    std::string many = "[axes]\nvcpus = [4]\n";
    many += repeated("[[selftest]]\n", 257);
    EXPECT_THAT(hostile_error(many), HasSubstr("selftest: 257 of them, expected at most 256"));
}

// Bytes of a good file changed at random, always the same ones: parsed or refused, never worse.
TEST(HostileMatrix, SurvivesDamage) {
    const std::string good = R"([axes]
arch = ["x86_64", "arm64"]
vcpus = [8, 16]
[[exclude]]
arch = "arm64"
vcpus = 16
[[include]]
config = "default+debug"
benchmarks = []
[vm]
memory = "2G"
[[selftest]]
target = "proc"
only = "arch=arm64 vcpus=8"
[[benchmark]]
name = "b"
command = "b"
pattern = '(\d+)'
)";
    ASSERT_EQ(hostile_error(good), "");
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = good;
        for (int change = 0; change < 3; ++change) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 3) {
            case 0:
                damaged[at] = static_cast<char>(random());
                break;
            case 1:
                damaged.erase(at, random() % 8);
                break;
            default:
                damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 20));
            }
        }
        const std::string error = hostile_error(damaged);
        if (error.empty())
            continue;
        ++refused;
        EXPECT_THAT(error, StartsWith("m.toml:")) << damaged;
        EXPECT_EQ(error, printable(error));
    }
    EXPECT_GT(refused, 2000);
}

} // namespace
} // namespace kmatrix

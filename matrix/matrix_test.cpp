// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/matrix.h"

#include <set>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::StartsWith;

Axes with_cmdline(std::string cmdline) {
    return Axes{Arch::x86_64, "default", 8, "gcc", std::move(cmdline)};
}

TEST(Matrix, SaysWhatItsEnumsAre) {
    EXPECT_EQ(to_string(Arch::x86_64), "x86_64");
    EXPECT_EQ(to_string(Arch::arm64), "arm64");
    EXPECT_EQ(to_string(Kernel::baseline), "baseline");
    EXPECT_EQ(to_string(Kernel::patched), "patched");
    EXPECT_EQ(to_string(Accel::automatic), "auto");
    EXPECT_EQ(to_string(Accel::kvm), "kvm");
    EXPECT_EQ(to_string(Accel::tcg), "tcg");
    EXPECT_EQ(to_string(Scanner::exec), "exec");
    EXPECT_EQ(to_string(Scanner::pread), "pread");
}

TEST(Matrix, KnowsDebugConfigsByTheirParts) {
    EXPECT_TRUE(is_debug("default+debug"));
    EXPECT_TRUE(is_debug("debug"));
    EXPECT_FALSE(is_debug("default"));
    EXPECT_FALSE(is_debug("default+debugfs"));
}

TEST(Matrix, CountsBusyCpus) {
    Benchmark benchmark;
    EXPECT_EQ(busy_vcpus(benchmark), 2);
    benchmark.busycpus = 6;
    EXPECT_EQ(busy_vcpus(benchmark), 7);
    benchmark.command = "/bench";
    EXPECT_EQ(busy_vcpus(benchmark), 0);
}

TEST(CellId, NamesTheAxes) {
    EXPECT_EQ(cell_id({Arch::arm64, "default+64k", 24, "clang", ""}),
              "arm64-default+64k-24cpu-clang");
    EXPECT_EQ(cell_id(with_cmdline("mitigations=off")), "x86_64-default-8cpu-gcc-mitigations=off");
}

TEST(CellId, IsAFileNameOfItsOwnForEveryCommandLine) {
    std::set<std::string> ids;
    const std::vector<std::string> cmdlines{"a b",
                                            "a_b",
                                            "a/b",
                                            "a\"b",
                                            "../..",
                                            "",
                                            "a",
                                            "b",
                                            "a  b",
                                            std::string(60, 'x'),
                                            std::string(61, 'x')};
    for (const std::string& cmdline : cmdlines) {
        const std::string id = cell_id(with_cmdline(cmdline));
        EXPECT_THAT(id, StartsWith("x86_64-default-8cpu-gcc"));
        EXPECT_EQ(id.find_first_of("/ \"'\\"), std::string::npos) << id;
        EXPECT_LT(id.size(), 100u);
        ids.insert(id);
    }
    EXPECT_EQ(ids.size(), cmdlines.size());
}

TEST(CellId, OnlyAppendsADigestWhereTheNameIsNotTheCommandLine) {
    // printf 'a b' | sha256sum
    EXPECT_EQ(cell_id(with_cmdline("a b")), "x86_64-default-8cpu-gcc-a_b-c8687a08");
    EXPECT_EQ(cell_id(with_cmdline("a_b")), "x86_64-default-8cpu-gcc-a_b");
}

} // namespace
} // namespace kmatrix

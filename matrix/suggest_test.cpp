// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/suggest.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

TEST(Suggest, FindsTheWordOneSlipAway) {
    const std::vector<std::string> words{"samples", "scanner", "boots"};
    EXPECT_EQ(nearest("sample", words), "samples");   // one letter short
    EXPECT_EQ(nearest("scannner", words), "scanner"); // one too many
    EXPECT_EQ(nearest("boosts", words), "boots");
    EXPECT_EQ(nearest("botos", words), "boots"); // two letters swapped
    EXPECT_EQ(nearest("nsampels", words), "samples");
}

TEST(Suggest, PrefersTheNearer) {
    EXPECT_EQ(nearest("smap", {"maps", "smaps", "smaps_rollup"}), "smaps");
}

TEST(Suggest, StaysSilentWhereNothingIsNear) {
    EXPECT_EQ(nearest("riscv", {"x86_64", "arm64"}), "");
    EXPECT_EQ(nearest("", {"maps"}), "");
    EXPECT_EQ(nearest(std::string(10'000, 'a'), {"maps"}), "");
    EXPECT_EQ(nearest("maps", {}), "");
}

TEST(Suggest, PutsItIntoWords) {
    EXPECT_EQ(did_you_mean("exce", {"exec", "pread"}), "; did you mean \"exec\"?");
    EXPECT_EQ(did_you_mean("thread", {}), "");
}

} // namespace
} // namespace kmatrix

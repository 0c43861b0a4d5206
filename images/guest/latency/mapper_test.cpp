// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/mapper.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

namespace kmatrix::guest {
namespace {

// A quarter of the region keeps the test quick. By the header's reckoning a region of n pages has
// n/4 + n/24 VMAs in the steady state: 2,389 for 8,192 pages; their number scatters by about 1 %.
TEST(Mapper, TheSteadyStateIsDrawnAndStays) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t bytes = std::size_t{32} << 20;
    void* memory = mmap(nullptr, bytes, PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    const auto before = count_own_vmas();
    ASSERT_GT(before, 0);
    std::mt19937_64 random(1);
    ASSERT_TRUE(draw_steady_state(static_cast<char*>(memory), bytes, page, random));
    const auto after = count_own_vmas();
    EXPECT_NEAR(static_cast<double>(after - before), 2389, 2389 * 0.05);
    munmap(memory, bytes);
}

TEST(Mapper, TheSameSeedGivesTheSameSpace) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t bytes = std::size_t{1} << 20;
    std::int64_t counts[2] = {};
    for (auto& count : counts) {
        void* memory = mmap(nullptr, bytes, PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
        ASSERT_NE(memory, MAP_FAILED);
        const auto before = count_own_vmas();
        std::mt19937_64 random(7);
        ASSERT_TRUE(draw_steady_state(static_cast<char*>(memory), bytes, page, random));
        count = count_own_vmas() - before;
        munmap(memory, bytes);
    }
    EXPECT_GT(counts[0], 50);
    EXPECT_EQ(counts[0], counts[1]);
}

// 4 KiB: 32,768 pages, 4 * sqrt(4096) = 256, less than 5 % of 9,500. 64 KiB: 2,048 pages,
// 4 * sqrt(256) = 64, more than 5 % of 600.
TEST(Mapper, AllowedChangeByHand) {
    EXPECT_EQ(allowed_vma_change(9500, 4096), 475);
    EXPECT_EQ(allowed_vma_change(600, 65536), 64);
}

} // namespace
} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
// The process whose mmap and munmap calls are timed.
//
// It maps 128 MiB of anonymous memory, writable, private and populated, and then draws a page and a
// coin over and over: heads maps that page anew at its place (replacing what is there), tails
// unmaps it. Each call is timed; between calls it sleeps for 10 us. That is the draw of mapper.c in
// https://github.com/paulmckrcu/proc-mmap_sem-test.
//
// Where this draw drifts to: in the end every page is mapped or not with probability 1/2, on its
// own. Runs of mapped pages then number pages/4 (8,192 with 4 KiB pages). Not every run is one VMA:
// an anonymous page mapped between two gaps gets an anon_vma of its own, and when the gap between
// two such neighbours is filled, the new page can join one of them but the two cannot join each
// other. Of three mapped pages in a row (1/8) the middle one was the last to come in 1/3 of the
// orders: pages/24 more (1,365), 9,557 in all. Measured: 9,500, reached after about 8 calls a page.
// A slow kernel does not make so many calls in a sample, and would be measured with fewer VMAs.
//
// So the steady state is drawn directly: everything is unmapped at once, then a random half of the
// pages is mapped one by one in a random order, which costs half a call a page. Measured: 9,495
// VMAs, and they stay within 2 % of 9,500 for two million further calls of the draw.
#pragma once

#include <cstdint>
#include <random>

#include "images/guest/latency/child.h"
#include "images/guest/latency/shared.h"

namespace kmatrix::guest {

inline constexpr std::size_t region_bytes = std::size_t{128} << 20;

struct MapperSetup {
    double duration_s = 5;
    bool fragment = true;
    std::uint64_t fragment_seed = 1; // the same for all samples: they start from the same space
    std::uint64_t draw_seed = 1;
};

// Says "ready" when it may be scanned, waits for the order, takes its times, says "done", and
// waits for an order again, so that it is there while the scanners stop.
void run_mapper(const MapperSetup& setup, const SharedState& shared, const ChildPort& port);

// Lines of /proc/self/maps; -1 if it cannot be read.
std::int64_t count_own_vmas();

// Unmaps the region and maps a random half of its pages, in random order. False, with errno, if a
// call fails. Nothing else of this process may map memory meanwhile.
bool draw_steady_state(char* region, std::size_t bytes, std::size_t page_bytes,
                       std::mt19937_64& random);

// By how much the number of VMAs may change in a sample, or between samples, that count as taken in
// the same address space: 5 %, and on few pages (64 KiB each) no less than four standard deviations
// of the difference of two independent draws. The variance of the number of runs among n fair
// coins is n/16 (by hand: n(1/4)(3/4) - 2n(1/4)(1/4)), so that of a difference is n/8.
std::int64_t allowed_vma_change(std::int64_t vmas, std::size_t page_bytes);

} // namespace kmatrix::guest

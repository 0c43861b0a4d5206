// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/mapper.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace kmatrix::guest {
namespace {

constexpr int region_flags = MAP_ANONYMOUS | MAP_PRIVATE | MAP_POPULATE;

std::uint64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(now.tv_nsec);
}

bool map_page(char* address, std::size_t page_bytes) {
    return mmap(address, page_bytes, PROT_WRITE, region_flags | MAP_FIXED, -1, 0) == address;
}

void mark(std::span<Tally> tallies, bool start) {
    for (Tally& tally : tallies) {
        const std::uint64_t rounds = tally.rounds.load();
        const std::uint64_t bytes = tally.bytes.load();
        tally.marked_rounds = start ? rounds : rounds - tally.marked_rounds;
        tally.marked_bytes = start ? bytes : bytes - tally.marked_bytes;
    }
}

struct Region {
    char* start;
    std::size_t page_bytes;
    std::size_t pages;
};

// One call of the draw, timed. False, with errno, if it fails.
bool timed_call(const Region& region, std::mt19937_64& random, MapperFigures& figures) {
    const std::uint64_t draw = random();
    char* address = region.start + (draw >> 1) % region.pages * region.page_bytes;
    const bool map = (draw & 1) != 0;
    const std::uint64_t begin = now_ns();
    const bool ok =
        map ? map_page(address, region.page_bytes) : munmap(address, region.page_bytes) == 0;
    figures.calls.add(now_ns() - begin);
    (map ? figures.maps : figures.unmaps)++;
    return ok;
}

} // namespace

std::int64_t count_own_vmas() {
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    // On the stack: memory from malloc might come from a hole in the region.
    std::array<char, 16384> buffer;
    std::int64_t lines = 0;
    ssize_t got = 0;
    while ((got = read(fd, buffer.data(), buffer.size())) > 0) {
        lines += std::count(buffer.begin(), buffer.begin() + got, '\n');
    }
    close(fd);
    return got < 0 ? -1 : lines;
}

bool draw_steady_state(char* region, std::size_t bytes, std::size_t page_bytes,
                       std::mt19937_64& random) {
    std::vector<std::uint32_t> mapped;
    const std::size_t pages = bytes / page_bytes;
    mapped.reserve(pages);
    for (std::uint32_t page = 0; page < pages; ++page) {
        if ((random() & 1) != 0) {
            mapped.push_back(page);
        }
    }
    // Fisher and Yates, written out: std::shuffle's result is the library's own choice.
    for (std::size_t i = mapped.size(); i > 1; --i) {
        std::swap(mapped[i - 1], mapped[random() % i]);
    }
    if (munmap(region, bytes) != 0) {
        return false;
    }
    return std::all_of(mapped.begin(), mapped.end(), [&](std::uint32_t page) {
        return map_page(region + page * page_bytes, page_bytes);
    });
}

std::int64_t allowed_vma_change(std::int64_t vmas, std::size_t page_bytes) {
    const double pages = static_cast<double>(region_bytes) / static_cast<double>(page_bytes);
    const double chance = 4 * std::sqrt(pages / 8);
    return static_cast<std::int64_t>(std::max(0.05 * static_cast<double>(vmas), chance));
}

void run_mapper(const MapperSetup& setup, const SharedState& shared, const ChildPort& port) {
    const auto fail = [&](const std::string& what) {
        port.fail(what + ": " + std::strerror(errno));
    };
    Region region{};
    region.page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    region.pages = region_bytes / region.page_bytes;
    std::mt19937_64 fragment_random(setup.fragment_seed);
    std::mt19937_64 random(setup.draw_seed);
    MapperFigures& figures = shared.mapper[0];

    void* memory = mmap(nullptr, region_bytes, PROT_WRITE, region_flags, -1, 0);
    if (memory == MAP_FAILED) {
        fail("cannot map 128 MiB");
    }
    region.start = static_cast<char*>(memory);
    if (setup.fragment &&
        !draw_steady_state(region.start, region_bytes, region.page_bytes, fragment_random)) {
        fail("cannot fragment the address space");
    }
    figures.vmas_start = count_own_vmas();
    if (figures.vmas_start < 0) {
        fail("cannot count its mappings in /proc/self/maps");
    }
    port.say("ready");
    port.wait_for_order();

    mark(shared.scanners.all(), true);
    mark(shared.busy.all(), true);
    const timespec pause{0, 10'000};
    const std::uint64_t begin = now_ns();
    const std::uint64_t end = begin + static_cast<std::uint64_t>(setup.duration_s * 1e9);
    do {
        if (!timed_call(region, random, figures)) {
            fail("mmap or munmap of a page failed");
        }
        nanosleep(&pause, nullptr);
    } while (now_ns() < end);
    figures.seconds = static_cast<double>(now_ns() - begin) / 1e9;
    mark(shared.scanners.all(), false);
    mark(shared.busy.all(), false);

    figures.cpu = sched_getcpu();
    figures.vmas_end = count_own_vmas();
    if (figures.vmas_end < 0) {
        fail("cannot count its mappings in /proc/self/maps");
    }
    port.say("done");
    port.wait_for_order();
}

} // namespace kmatrix::guest

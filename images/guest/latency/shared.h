// SPDX-License-Identifier: GPL-2.0-only
// What the processes of one sample have in common: memory that they all see.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <system_error>

#include "images/guest/latency/histogram.h"

namespace kmatrix::guest {

// An array in anonymous shared memory, kept over fork; T's need no destructor.
template <class T>
class SharedArray {
  public:
    explicit SharedArray(std::size_t count) : count_(count) {
        void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::system_error(errno, std::generic_category(), "mmap of shared memory");
        }
        items_ = static_cast<T*>(memory);
        std::uninitialized_value_construct_n(items_, count);
    }
    SharedArray(const SharedArray&) = delete;
    SharedArray& operator=(const SharedArray&) = delete;
    ~SharedArray() { munmap(items_, count_ * sizeof(T)); }

    std::span<T> all() const { return {items_, count_}; }
    T& operator[](std::size_t index) const { return items_[index]; }

  private:
    std::size_t count_;
    T* items_;
};

// What one scanner or busy task did; written by it alone, but for the marks.
struct alignas(64) Tally {
    std::atomic<std::uint64_t> rounds{0}; // whole reads of the file; or times it was busy
    std::atomic<std::uint64_t> bytes{0};  // read
    std::atomic<int> cpu{-1};             // that it last found itself on
    // What was done while the mapper took its times: set by the mapper at both ends.
    std::uint64_t marked_rounds = 0;
    std::uint64_t marked_bytes = 0;
};

struct MapperFigures {
    Histogram calls; // of both kinds
    std::uint64_t maps = 0;
    std::uint64_t unmaps = 0;
    double seconds = 0; // from the first call to the last
    std::int64_t vmas_start = 0;
    std::int64_t vmas_end = 0;
    int cpu = -1;
};

struct SharedState {
    SharedState(std::size_t scanner_count, std::size_t busy_count)
        : scanners(scanner_count), busy(busy_count), mapper(1), stop(1) {}

    SharedArray<Tally> scanners;
    SharedArray<Tally> busy;
    SharedArray<MapperFigures> mapper;
    SharedArray<std::atomic<bool>> stop; // for scanners and busy tasks
};

} // namespace kmatrix::guest

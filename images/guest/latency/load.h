// SPDX-License-Identifier: GPL-2.0-only
// The two loads of a sample: scanners, which read the mapper's file in /proc over and over at the
// lowest priority, and busy tasks, which preempt them on their CPU while they hold what locks the
// read takes.
#pragma once

#include <cstddef>
#include <string>

#include "images/guest/latency/child.h"
#include "images/guest/latency/options.h"
#include "images/guest/latency/shared.h"

namespace kmatrix::guest {

inline constexpr int scanner_nice = 19;

// Says "running" after its first whole read, and ends when shared.stop is set. A read that fails or
// gives nothing is an error. The exec style starts /proc/self/exe with the verb `read` each time.
void run_scanner(const std::string& file, ScannerStyle style, std::size_t index,
                 const SharedState& shared, const ChildPort& port);

// Says "running" after it was busy once: for busyduration_ms, and asleep for 1 ms. With 0 it never
// sleeps, and counts a round for each millisecond.
void run_busy_task(int busyduration_ms, std::size_t index, const SharedState& shared,
                   const ChildPort& port);

// Reads a file to its end in steps of 128 KiB, as cat does; the number of bytes, or what failed.
Expected<std::size_t> read_whole(const std::string& file);

} // namespace kmatrix::guest

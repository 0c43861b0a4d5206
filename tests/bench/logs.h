// SPDX-License-Identifier: GPL-2.0-only
// Logs made up for benchmarks, the same each time: lines as kernels and kselftest print them, with
// numbers that differ from line to line.
#pragma once

#include <cstddef>
#include <string>

namespace kmatrix::bench {

// A serial console with CONFIG_PRINTK_TIME: what drivers, file systems and user space print. With
// `splat_every_bytes`, a report of the kernel's (a warning, an oops, lockdep, a stall, in turn)
// each so many bytes; 0: none.
std::string console(std::size_t bytes, std::size_t splat_every_bytes);

// What `run_kselftest.sh` prints: programs with KTAP of their own below them, some with the lines
// of kselftest_harness.h, one failure in fifty.
std::string ktap(std::size_t bytes);

} // namespace kmatrix::bench

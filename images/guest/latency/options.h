// SPDX-License-Identifier: GPL-2.0-only
// The command line of procfs-latency. Names are run-proc-vs-map.sh's where it has them
// (https://github.com/paulmckrcu/proc-mmap_sem-test).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kmatrix::guest {

enum class ScannerStyle {
    exec,  // a fresh reader process for every scan
    pread, // one process that reads the open file again and again
};

struct Options {
    int samples = 2;
    double duration_s = 5;   // of the timed part of a sample
    int busyduration_ms = 2; // a busy task spins so long, then sleeps 1 ms; 0: never sleeps
    std::string procfile = "smaps_rollup"; // of /proc/PID/
    int busycpus = 1;                      // CPUs with one scanner each
    int busytasks = 1;                     // that preempt the scanner, on each of these CPUs
    ScannerStyle scanner = ScannerStyle::pread;
    bool fragment = true; // start from the address space that the mapper drifts to
    std::uint64_t seed = 1;
    bool force = false; // measure with fewer than 4 CPUs, too
};

// The hidden verb of the exec style: read one file to its end, print its size in bytes.
struct ReadRequest {
    std::string file;
};

struct UsageError {
    int exit_status = 2;
    std::string text; // of the error, or of --help (exit status 0)
};

using Request = std::variant<Options, ReadRequest, UsageError>;

// `arguments` without the program's name.
Request parse_arguments(std::vector<std::string> arguments);

} // namespace kmatrix::guest

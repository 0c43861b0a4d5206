// SPDX-License-Identifier: GPL-2.0-only
// procfs-latency without its command line: refuses what cannot be measured, takes the samples one
// after the other, and prints them as report.h says.
#pragma once

#include <functional>
#include <string_view>

#include "images/guest/latency/options.h"

namespace kmatrix::guest {

// Exit statuses, as a kselftest would have them.
inline constexpr int status_ok = 0;
inline constexpr int status_error = 1;
inline constexpr int status_usage = 2;
inline constexpr int status_skip = 4; // fewer than 4 CPUs

// On fewer CPUs the kernel's own work and the controlling process share the mapper's or the
// scanner's CPU, and are measured with them.
inline constexpr std::size_t fewest_cpus = 4;

// The exit status. Each line is given to `print` as soon as it is known.
int run_benchmark(const Options& options, const std::function<void(std::string_view)>& print);

} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
// What procfs-latency prints: one JSON object a line.
//   {"type":"setup","vmas":9495,"cpus":{"mapper":0,"scanners":[2],"busy":[2]},
//    "page_bytes":4096,"options":{...}}                    when the first mapper is ready
//   {"type":"sample","index":1,"seconds":5.0,"maps":N,"unmaps":N,"mean_ns":X,"max_ns":N,
//    "p50_ns":N,"p90_ns":N,"p99_ns":N,"p999_ns":N,"histogram":[[upper_ns,count],...],
//    "scans":N,"scan_bytes":N,"busy_loops":N,"vmas_start":N,"vmas_end":N,"cpus":[0,2]}
//   {"type":"error","message":"..."}                       the last line, if there is one
//   {"type":"end","samples":2}                             the last line otherwise
// Figures are of maps and unmaps together; the histogram has the buckets that are not empty, upper
// bounds inclusive (latency/histogram.h); p50 to p999 are such bounds, or the maximum if less.
#pragma once

#include <cstdint>
#include <string>

#include "images/guest/latency/options.h"
#include "images/guest/latency/sample.h"

namespace kmatrix::guest {

std::string setup_line(const Options& options, const CpuRoles& cpus, std::int64_t vmas,
                       std::size_t page_bytes);
std::string sample_line(const SampleFigures& sample);
std::string error_line(const std::string& message);
std::string end_line(int samples);

} // namespace kmatrix::guest

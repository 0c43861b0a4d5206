// SPDX-License-Identifier: GPL-2.0-only
// The part of the text report that is about one benchmark of one cell.
#pragma once

#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// Times with the digits that tell them apart: "0.1173", "12.4".
std::string ms_text(double ms);

// The ratio with its interval, mean, tail and throughput of both kernels.
std::string latency_table(const LatencyComparison& latency);

// Every sample in the order run, baseline beside patched, columns labelled for what they are.
std::string sample_table(const RunResult& run, const LatencyComparison& latency);

// One kernel's samples as the script of the smaps_rollup thread prints them.
std::string thread_table(const RunResult& run, const LatencyComparison& latency, Kernel kernel);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What changed between the patches that two runs tested.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "results/model.h"
#include "runner/cache/cache.h"

namespace kmatrix {

// A run, and where it lies.
struct TestedSeries {
    std::filesystem::path directory;
    RunInfo info;
};

struct VersionDiff {
    std::string text;               // of `git range-diff`; empty: see why_not
    std::vector<std::string> notes; // on what each was applied, where that differs
    std::string why_not; // "v2's patches are not kept, and topic has others now"; a clause
};

// In the later run's tree, which must have (or kmatrix must have fetched) what both were applied
// to. Never an Error: what it lacks is a reason.
boost::asio::awaitable<VersionDiff> version_diff(const Cache& cache, TestedSeries from,
                                                 TestedSeries to);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// A state of the user's tree, told by the blobs of a few of its files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/series/series.h"
#include "runner/source/repository.h"

namespace kmatrix {

// The blob of every file before the series, perhaps abbreviated; empty: there is no such file.
// What a diff does not tell is left out.
std::map<std::string, std::string> blobs_before(const Series& series);

// The blobs of a tree's files, by path.
using Blobs = std::map<std::string, std::string, std::less<>>;

bool agrees(const std::map<std::string, std::string>& wanted, const Blobs& there);

struct State {
    std::string commit;
    std::string where; // "origin/next", "an earlier state of origin/next"
};

// The first branch whose tip agrees; else the first with an agreeing state among its last 3,000
// commits by first parents (and the last 500 of those that touch these files): the newest such.
boost::asio::awaitable<Result<std::optional<State>>>
find_state(const Repository& repository, std::vector<Branch> branches,
           std::map<std::string, std::string> wanted);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// A commit that the user's tree lacks, from one of its remotes, into kmatrix's own repository: what
// somebody's base-commit line names, and nobody has fetched. The user's tree stays as it is.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/source/repository.h"

namespace kmatrix {

struct FetchedCommit {
    std::string from;               // the remote's name; empty: nobody has it
    std::vector<std::string> tried; // in vain, with git's words: "origin: not our ref 0123"
};

// Asks the tree's remotes in turn, five minutes in all; none that wants a password gets one. A
// commit that was fetched before is there still. An Error only where git cannot be run.
boost::asio::awaitable<Result<FetchedCommit>> fetch_commit(const Repository& repository,
                                                           std::string id);

} // namespace kmatrix

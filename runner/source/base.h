// SPDX-License-Identifier: GPL-2.0-only
// The commit that a series was made on, found in the user's tree.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/series/series.h"
#include "runner/source/repository.h"

namespace kmatrix {

struct Base {
    std::string commit;
    std::string how;                // a sentence for reports: "the baseline is ..., which ..."
    std::vector<std::string> tried; // in vain, before it: "its base-commit 0123 is not in the tree"
};

// In this order: `named` (--base) if it is not empty; the base of a range; HEAD for an A/A run; the
// newest of the prerequisite patches, if a branch has all of them; the "base-commit:" line, if the
// tree or one of its remotes has that commit (see fetch_commit()); HEAD, a branch, or an earlier
// state of one (its last 3,000 commits by first parents), where every file that the series changes
// has the blob id that its diff names; HEAD, the branch that is named by being checked out. An
// Error only where a revision that was named is unknown, or git fails.
boost::asio::awaitable<Result<Base>> find_base(const Repository& repository, const Series& series,
                                               std::string named);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// What changed between the patches of two versions of a series: `git range-diff`, in kmatrix's own
// repository.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/cache/cache.h"
#include "runner/series/series.h"
#include "runner/source/repository.h"

namespace kmatrix {

// A series as commits, each patch one, which no ref names.
struct CommittedSeries {
    std::string base, tip;
    std::string tree; // of the tip: SourceTree::id of the patched source
};

// Errors as those of apply_series().
boost::asio::awaitable<Result<CommittedSeries>>
commit_series(const Cache& cache, Repository repository, std::string base, const Series& series);

// From one to the other; printable. The two may have different bases. It runs in a sandbox, for two
// minutes at most.
boost::asio::awaitable<Result<std::string>> range_diff(const Repository& repository,
                                                       CommittedSeries from, CommittedSeries to);

} // namespace kmatrix

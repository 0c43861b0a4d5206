// SPDX-License-Identifier: GPL-2.0-only
// The two sources of a run, baseline and patched, as trees of git and as files to build.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "matrix/matrix.h"
#include "runner/cache/cache.h"
#include "runner/series/series.h"
#include "runner/source/repository.h"

namespace kmatrix {

struct SourceTree {
    std::string id;      // of git's tree object: the same files have the same id
    std::string version; // as its Makefile says: "7.3.4", "7.4.0-rc1"
};

struct Sources {
    Repository repository;
    std::string baseline_commit;
    SourceTree baseline, patched;
    // What differs, paths relative to the top.
    std::vector<std::string> written; // added or changed
    std::vector<std::string> removed;
    std::vector<std::string> notes; // "patch 2 (...) applied with a three-way merge"

    const SourceTree& tree(Kernel kernel) const {
        return kernel == Kernel::baseline ? baseline : patched;
    }
};

// Applies the series to the tree of a commit, in an index of its own, with nothing checked out. A
// patch that does not apply as it is gets a three-way merge, as `git am -3` does. One that does not
// apply at all is a user's Error: which patch, which hunk, what git said.
boost::asio::awaitable<Result<Sources>> apply_series(const Cache& cache, Repository repository,
                                                     std::string baseline_commit,
                                                     const Series& series);

// The same after the first patch, the first two, ...: the last has all of them, and the notes.
boost::asio::awaitable<Result<std::vector<Sources>>> apply_each(const Cache& cache,
                                                                Repository repository,
                                                                std::string baseline_commit,
                                                                const Series& series);

// All files of the baseline, checked out once and kept. Every file and directory has the same old
// time of modification, so that whatever is written later is newer. Read only: nobody may write
// there.
boost::asio::awaitable<Result<CacheEntry>> checkout_baseline(const Cache& cache,
                                                             const Sources& sources);

// Another tree of the sources checked out whole, in the same way (for a clean build).
boost::asio::awaitable<Result<CacheEntry>> checkout_patched(const Cache& cache,
                                                            const Sources& sources);

// Writes the files of `written` below directory, as the patched tree has them, with the time of
// now.
boost::asio::awaitable<Result<void>> write_changes(const Cache& cache, const Sources& sources,
                                                   std::filesystem::path directory);

// "7.3.4" of the VERSION, PATCHLEVEL, SUBLEVEL and EXTRAVERSION lines of a kernel's Makefile; empty
// if it has none.
std::string kernel_version(std::string_view makefile);

// What git said of a patch that does not apply, with the hunk that it means: "hunk 2 of fs/x.c
// (@@ -1,3 +1,4 @@ f)". The text alone if it names no hunk.
std::string refused_hunk(const std::vector<FileDiff>& files, std::string_view git_output);

} // namespace kmatrix

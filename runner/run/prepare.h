// SPDX-License-Identifier: GPL-2.0-only
// Everything that a run needs to know before anything of it runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "matrix/host.h"
#include "matrix/matrix.h"
#include "results/model.h"
#include "results/store.h"
#include "runner/cache/cache.h"
#include "runner/run/request.h"
#include "runner/series/series.h"
#include "runner/source/sources.h"

namespace kmatrix {

struct Prepared {
    Matrix matrix;
    Plan plan;
    Host host;
    Series series;
    Sources sources;
    std::vector<Sources> steps; // after the first, the first two, ... patches (--each-patch)
    RunResult result;           // what an earlier run left, if this one goes on with it
    Store store;
};

// What a plan of this run boots: of the matrix, of tests run again, and of each patch.
std::vector<PlannedBoot> all_boots(const RunResult& result);

// How to read a run's series again: the mails that it keeps, or what it was given.
std::string series_of_run(const std::filesystem::path& directory, const RunInfo& info);

// The libvirt uri of the matrix that the request names. Errors as prepare() has them.
Result<std::string> vm_uri(const RunRequest& request);

// Reads matrix, series and tree, applies the series, and makes (or, to resume, opens) the run's
// directory. Errors are the user's where a file, the tree or the series cannot be used as they are.
boost::asio::awaitable<Result<Prepared>> prepare(const Cache& cache, RunRequest request,
                                                 Machine machine);

} // namespace kmatrix

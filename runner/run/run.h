// SPDX-License-Identifier: GPL-2.0-only
// `kmatrix run`: from a request to its reports.
#pragma once

#include "runner/run/request.h"

namespace kmatrix {

// Prints progress on stderr and the report on stdout; the exit status is kmatrix's. Interrupted
// once (SIGINT, SIGTERM, SIGHUP) it stops what runs, keeps what is done and writes the reports;
// twice, it ends at once.
int run(const RunRequest& request);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The runs of all shards as one run, with the reports that one run would have had: what was
// compared is compared again, over all cells.
#pragma once

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "runner/run/run.h"

namespace kmatrix {

// `directories`: of the shards' runs; they stay as they are. Logs are copied. Errors: as
// merge_shards() has them; there is no run; `out` holds one already.
Result<RunEnd> merge_runs(const std::vector<std::filesystem::path>& directories,
                          const std::filesystem::path& out);

} // namespace kmatrix

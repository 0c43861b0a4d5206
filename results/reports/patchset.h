// SPDX-License-Identifier: GPL-2.0-only
// One hash for a series, as KCIDB has it.
#pragma once

#include <string>

#include "results/model.h"

namespace kmatrix {

// SHA-256 over the newline-terminated SHA-256 of each patch in order, as
// "sha256sum *.patch | cut -c-64 | sha256sum | cut -c-64" gives it (KCIDB's schema v5.3,
// patchset_hash). Empty where the run does not know its patches' hashes.
std::string patchset_hash(const SeriesInfo& series);

} // namespace kmatrix

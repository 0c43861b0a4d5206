// SPDX-License-Identifier: GPL-2.0-only
// A run for KCIDB, the kernel community's common database of test results: its submission format,
// version 5.3 (kernelci/kcidb-io, kcidb_io/schema/v05_03.py). kmatrix sends nothing.
//
// Baseline and patched kernel are two checkouts, and what is said of each is what that kernel did,
// without the comparison: a test that fails on both kernels fails twice. The one thing that
// compares is the ratio of a benchmark, which stands with the patched build.
#pragma once

#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// What KCIDB calls a CI system: lower-case letters, digits and '_', agreed with its operators.
bool is_kcidb_origin(const std::string& origin);

// `origin` is one.
std::string kcidb_json(const RunResult& run, const Comparison& comparison,
                       const std::string& origin = "kmatrix");

// A dot-separated path of KCIDB's, of the words [A-Za-z0-9_-]+; other characters become '_'.
std::string kcidb_path(const std::string& text);

} // namespace kmatrix

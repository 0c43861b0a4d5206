// SPDX-License-Identifier: GPL-2.0-only
// Findings as `kmatrix scan` prints them.
#pragma once

#include <string>
#include <vector>

#include "results/console/finding.h"

namespace kmatrix {

// A JSON array, first finding first, of
//   {"class": "oops", "title": "page fault in foo", "function": "foo" or null, "line": 12,
//    "stack": ["foo", "bar"], "lines": ["[  1.0] BUG: ..."]}
// ending in a newline. `line` counts from 1.
std::string findings_json(const std::vector<Finding>& findings);

// For a person: a line a finding, its lines below it, indented. Says so if there is none.
std::string findings_text(const std::vector<Finding>& findings);

} // namespace kmatrix

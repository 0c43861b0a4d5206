// SPDX-License-Identifier: GPL-2.0-only
// What `kmatrix ktap` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "results/ktap/ktap.h"

namespace kmatrix::ktap {

// {"effective": …, "bail_out": … or null, "skip": … or null,
//  "counts": {"pass": …, …}, "notes": […],
//  "tests": [{"name", "status", "effective", "reason", "diagnostics": […], "children": […]}]}
// The fields are those of Report, Counts and Test.
std::string json_text(const Report& report);

// A tree for people: a line a test, the lines that matter under what failed, the counts at the end.
std::string plain_text(const Report& report);

struct Printed {
    std::string text; // for stdout, also where there is an error: a reader of JSON gets its object
    std::optional<Error> error; // the user's: the file has no result
};
// `file` is named in the error.
Printed print_file(std::string_view content, const std::string& file, bool json);

} // namespace kmatrix::ktap

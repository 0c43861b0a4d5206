// SPDX-License-Identifier: GPL-2.0-only
// Test results as a kernel prints them (Documentation/dev-tools/ktap.rst; what kselftest prints is
// wider), as a tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kmatrix::ktap {

struct Test {
    std::string name;
    std::string status;    // as its line reports: "pass", "fail", "skip", "xfail", "xpass",
                           // "timeout", "error"
    std::string effective; // that, or what the whole says: "missing", "fail" over a failed child
    std::string reason;    // what follows the directive
    std::vector<std::string> diagnostics; // lines that belong to it, assertion text among them
    std::vector<Test> children;
};

} // namespace kmatrix::ktap

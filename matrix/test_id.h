// SPDX-License-Identifier: GPL-2.0-only
// How one selftest program, and one run of it, are called: in plans, transcripts and results.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace kmatrix {

// One selftest program, as kselftest-list.txt names it: "proc:proc-maps-race". A test may have a
// '/', neither part has a ':'.
struct TestName {
    std::string target;
    std::string test;

    auto operator<=>(const TestName&) const = default;
};
std::optional<TestName> parse_test_name(std::string_view text);

// One run of one: "proc:proc-maps-race#1"; of the baseline's own version of the program:
// "proc:proc-maps-race#1@baseline".
struct TestId {
    TestName name;
    int attempt = 1; // from 1
    Kernel origin = Kernel::patched;

    auto operator<=>(const TestId&) const = default;
};
std::string test_id(const TestId& id);
std::optional<TestId> parse_test_id(std::string_view id); // nothing: no test's

} // namespace kmatrix

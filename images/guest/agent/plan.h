// SPDX-License-Identifier: GPL-2.0-only
// The plan of one boot, as the agent finds it. images/protocol.h has the format.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace kmatrix::guest {

template <class T>
using Expected = tl::expected<T, std::string>;

struct Job {
    std::string id;
    std::vector<std::string> argv; // never empty
    std::string cwd;
    double timeout_s = 0; // 0: none
    std::vector<std::string> environment;
};

struct Plan {
    std::vector<std::pair<std::string, std::string>> sysctls;
    std::vector<Job> jobs;
};

// The error names the key that is wrong.
Expected<Plan> parse_plan(std::string_view text);

} // namespace kmatrix::guest

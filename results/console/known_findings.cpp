// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/known_findings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace kmatrix {

std::vector<Finding> new_findings(const std::vector<Finding>& baseline,
                                  const std::vector<Finding>& patched) {
    std::set<std::pair<std::string, std::string>> known;
    for (const auto& finding : baseline) {
        known.emplace(finding.klass, finding.title);
    }
    std::vector<Finding> result;
    for (const auto& finding : patched) {
        if (known.emplace(finding.klass, finding.title).second) {
            result.push_back(finding);
        }
    }
    return result;
}

bool is_stall(const Finding& finding) {
    // The titles of rule_tables.h's hangs, but for those that no clock decides alone
    static constexpr std::array<std::string_view, 7> stalls = {
        "rcu stall",      "soft lockup",      "hard lockup",         "task hung",
        "task can't die", "workqueue lockup", "CPU does not answer",
    };
    return finding.klass == "hang" &&
           std::any_of(stalls.begin(), stalls.end(),
                       [&](std::string_view stall) { return finding.title.starts_with(stall); });
}

bool is_stray_breakpoint(const Finding& finding) {
    return finding.klass == "oops" && finding.title.starts_with("int3");
}

} // namespace kmatrix

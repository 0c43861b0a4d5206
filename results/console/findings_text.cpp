// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/findings_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kmatrix {

std::string findings_json(const std::vector<Finding>& findings) {
    auto array = nlohmann::ordered_json::array();
    for (const auto& finding : findings) {
        nlohmann::ordered_json object;
        object["class"] = finding.klass;
        object["title"] = finding.title;
        object["function"] = finding.function.empty() ? nlohmann::ordered_json(nullptr)
                                                      : nlohmann::ordered_json(finding.function);
        object["line"] = finding.line;
        object["stack"] = finding.stack;
        object["lines"] = finding.lines;
        array.push_back(std::move(object));
    }
    return array.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string findings_text(const std::vector<Finding>& findings) {
    if (findings.empty()) {
        return "nothing found\n";
    }
    std::string text;
    for (const auto& finding : findings) {
        text += fmt::format("line {}: {}: {}\n", finding.line, finding.klass, finding.title);
        for (const auto& line : finding.lines) {
            text += fmt::format("    {}\n", line);
        }
    }
    return text;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// For tests: results on one line, to compare and to read.
#pragma once

#include <string>
#include <vector>

#include "results/ktap/ktap.h"

namespace kmatrix::ktap {

// "a=pass, b=pass>fail(reason){c=fail}": the status, the effective one where it differs.
inline std::string shape(const std::vector<Test>& tests) {
    std::string text;
    for (const Test& test : tests) {
        text += (text.empty() ? "" : ", ") + test.name + "=" + test.status;
        if (test.effective != test.status)
            text += ">" + test.effective;
        if (!test.reason.empty())
            text += "(" + test.reason + ")";
        if (!test.children.empty())
            text += "{" + shape(test.children) + "}";
    }
    return text;
}

inline std::string shape(const std::string& text) {
    return shape(parse(text).tests);
}

} // namespace kmatrix::ktap

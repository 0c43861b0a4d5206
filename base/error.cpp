// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <sstream>

namespace kmatrix {

std::string Error::text() const {
    std::string all = message;
    if (!output_tail.empty()) {
        std::istringstream lines(output_tail);
        for (std::string line; std::getline(lines, line);)
            all += "\n    " + line;
    }
    if (!log.empty())
        all += "\n  whole log: " + log.string();
    return all;
}

} // namespace kmatrix

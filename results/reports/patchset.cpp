// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/patchset.h"

#include "base/text.h"

namespace kmatrix {

std::string patchset_hash(const SeriesInfo& series) {
    std::string hashes;
    for (const Letter& letter : series.letters) {
        if (letter.sha256.empty())
            return {};
        hashes += letter.sha256 + "\n";
    }
    return hashes.empty() ? std::string() : sha256(hashes);
}

} // namespace kmatrix

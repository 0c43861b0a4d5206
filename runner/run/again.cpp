// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/again.h"

#include "base/command.h"

namespace kmatrix {

std::string again(const Prepared& prepared, const Filter& only, int patches) {
    const RunInfo& info = prepared.result.info;
    std::vector<std::string> words = {
        "kmatrix",          "run",    info.matrix_file,     "--tree",
        info.tree,          "--base", info.baseline_commit, "--series",
        info.series.source, "--only", to_string(only)};
    if (patches != 0)
        words.insert(words.end(), {"--patches", std::to_string(patches)});
    return shell_text(words);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Whether each kernel still builds, and what its compiler says now that it did not say before.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/sides.h"
#include "results/model.h"

namespace kmatrix {

enum class BuildState { not_run, built, broken };

enum class BuildVerdict {
    builds,    // on both sides
    regressed, // baseline builds, patched does not
    fixed,     // patched builds, baseline does not
    broken_on_both,
    not_compared, // a side was not built
};
std::string_view to_string(BuildVerdict verdict); // "builds", "regressed", "broken on both", ...

struct BuildSide {
    BuildState state = BuildState::not_run;
    std::string error; // the compiler's first words of failure
    std::string image_sha256;
    std::filesystem::path log;
    std::string command;
};

struct BuildComparison {
    BuildKey key;
    std::vector<std::string> cells; // ids of the cells that boot it, in the matrix's order
    Sides<BuildSide> side;
    BuildVerdict verdict = BuildVerdict::not_compared;
    // Both images are the same, byte by byte: the series does not change this kernel, and whatever
    // differs between its boots is chance.
    bool same_image = false;
    // Patched has them, baseline has not: by file, option and message. Empty unless baseline was
    // built. (The reverse is unknowable: the patched build compiles only what the series touches.)
    std::vector<Warning> new_warnings;
};

// One for each distinct build of the matrix, in the order of its plan.
std::vector<BuildComparison> compare_builds(const RunResult& run);

// "x86_64 default gcc".
std::string name(const BuildKey& key);
// "mm/x.c: unused variable 'y' [-Wunused-variable]".
std::string text(const Warning& warning);
// One line for a report: "patched does not build: mm/x.c:7:1: error: ...".
std::string sentence(const BuildComparison& build);

} // namespace kmatrix

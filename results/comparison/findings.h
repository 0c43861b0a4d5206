// SPDX-License-Identifier: GPL-2.0-only
// Splats of the consoles, and whose they are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/builds.h"
#include "results/comparison/sides.h"
#include "results/model.h"

namespace kmatrix {

enum class FindingVerdict {
    blamed,       // patched has it, baseline has not: on the series
    on_both,      // baseline has it too, in this cell or another of this architecture
    gone,         // baseline has it, patched has not
    no_verdict,   // a stall under emulation, or the kernel images are the same
    not_compared, // baseline completed no boot in this cell
};
std::string_view to_string(FindingVerdict verdict);

// One splat in one cell: the same class and title.
struct FindingComparison {
    std::string cell;
    Sides<std::size_t> boots; // of the cell that show it
    Sides<std::size_t> of;    // boots of the cell
    FindingVerdict verdict = FindingVerdict::not_compared;
    std::string why; // a sentence; empty where there is nothing to say
    // The first sighting, on patched if it is there: what a report shows.
    Finding example;
    Kernel example_kernel = Kernel::patched;
    std::string example_boot; // BootResult::id
    std::filesystem::path console;
    // That boot did not complete: the splat is the end of it, or on the way there.
    bool ended_boot = false;
};

// In the matrix's order of cells, then in the order seen.
std::vector<FindingComparison> compare_findings(const RunResult& run,
                                                const std::vector<BuildComparison>& builds);

} // namespace kmatrix

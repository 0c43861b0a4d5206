// SPDX-License-Identifier: GPL-2.0-only
// What runs leave for later ones in the XDG state folder: noise.json, the noise floors that A/A
// runs measured, and history.sqlite, how tests and the versions of series fared. None of it is
// worth a run: what cannot be read or kept is a warning, a sentence.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/known.h"
#include "results/model.h"

namespace kmatrix {

struct Recalled {
    Known known;
    std::vector<std::string> warnings;
};

// What is known that bears on the run in this directory.
Recalled recall(const RunResult& run, const std::filesystem::path& directory,
                const std::filesystem::path& state);

// Adds the run's tests and its version of the series to the history and, of an A/A run, its noise
// floors to those known; what went wrong.
std::vector<std::string> remember(const RunResult& run, const Comparison& comparison,
                                  const std::filesystem::path& directory,
                                  const std::filesystem::path& state);

} // namespace kmatrix

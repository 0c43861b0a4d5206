// SPDX-License-Identifier: GPL-2.0-only
// What this machine lacks for running kmatrix.
#pragma once

#include <string>
#include <vector>

namespace kmatrix {

enum class Health { good, optional, missing };

struct Diagnosis {
    std::string what; // "bubblewrap (bwrap)": what was looked at, and what was found
    Health state = Health::good;
    std::string remedy; // the command that mends it; empty where all is well
};

// Looks at programs, user namespaces (by making one), KVM, disk and memory. Takes a moment, changes
// nothing.
std::vector<Diagnosis> diagnose();

} // namespace kmatrix

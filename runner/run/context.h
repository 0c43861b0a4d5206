// SPDX-License-Identifier: GPL-2.0-only
// What every stage of a run works with.
#pragma once

#include <functional>
#include <string>

#include "runner/run/prepare.h"
#include "runner/vm/vm.h"

namespace kmatrix {

struct RunContext {
    const Prepared& prepared;
    const Cache& cache;
    Hypervisor& hypervisor;
    int jobs = 1; // of make
    bool clean_builds = false;
};

// Tells a person how far a stage is: "412 files compiled".
using Detail = std::function<void(const std::string&)>;

} // namespace kmatrix

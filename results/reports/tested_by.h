// SPDX-License-Identifier: GPL-2.0-only
// Whether a run is worth a Tested-by, and what such a line may claim.
#pragma once

#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// What speaks against it, a sentence each; empty: nothing does. Only a run that did all that it
// planned earns one: the outcome as wanted, every kernel built, every boot completed, no test
// undecided, nothing worse but compiler warnings, and kernels that the series does change.
std::vector<std::string> doubts(const RunResult& run, const Comparison& comparison);

// "x86_64, arm64 under QEMU/TCG", "x86_64 under QEMU/KVM, arm64 under QEMU/TCG".
std::string coverage(const RunResult& run);

// How the cells of an architecture were run: "KVM", "TCG" or, where it was both, "KVM and TCG".
std::string accelerator(const RunResult& run, Arch arch);

// The architectures of the matrix, in its order.
std::vector<Arch> architectures(const RunResult& run);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// This machine, as far as a plan depends on it.
#pragma once

#include <string>

#include "matrix/host.h"
#include "matrix/matrix.h"

namespace kmatrix {

int host_cpus();        // that this process may use
int host_memory_mib();  // that is available now
std::string host_cpu(); // its model
Arch host_arch();

// Which guests of the matrix will be emulated here: those of the other architecture, those where
// the matrix says tcg, and all where /dev/kvm cannot be opened or is known not to run a kernel.
Host this_host(const Matrix& matrix);

} // namespace kmatrix

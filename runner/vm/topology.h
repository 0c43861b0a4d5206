// SPDX-License-Identifier: GPL-2.0-only
// How a guest's vCPUs and memory lie in sockets and NUMA nodes.
#pragma once

#include <string>
#include <vector>

#include "runner/vm/vm.h"

namespace kmatrix {

struct NumaNode {
    int id = 0;
    std::string cpus; // "0-3", or "4" for one alone
    int memory_mib = 0;
};

// vCPUs and memory spread over the nodes as evenly as they go, what is left over to the first ones.
std::vector<NumaNode> numa_nodes(const GuestSpec& spec);

// A socket a node; a socket a vCPU where the nodes are not alike, for a node that is not a whole
// number of sockets makes the scheduler of the guest complain.
int sockets_of(const GuestSpec& spec);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/topology.h"

#include <cassert>

#include <fmt/format.h>

namespace kmatrix {

std::vector<NumaNode> numa_nodes(const GuestSpec& spec) {
    assert(spec.numa_nodes > 0 && spec.numa_nodes <= spec.vcpus);
    const auto share = [&](int whole, int node) {
        return whole / spec.numa_nodes + (node < whole % spec.numa_nodes ? 1 : 0);
    };
    std::vector<NumaNode> nodes;
    int first = 0;
    for (int id = 0; id < spec.numa_nodes; ++id) {
        const int count = share(spec.vcpus, id);
        nodes.push_back(
            {id,
             count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1),
             share(spec.memory_mib, id)});
        first += count;
    }
    return nodes;
}

int sockets_of(const GuestSpec& spec) {
    return spec.vcpus % spec.numa_nodes == 0 ? spec.numa_nodes : spec.vcpus;
}

} // namespace kmatrix

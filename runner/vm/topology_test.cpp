// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/topology.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::ElementsAre;

GuestSpec spec(int vcpus, int memory_mib, int nodes) {
    GuestSpec spec;
    spec.vcpus = vcpus;
    spec.memory_mib = memory_mib;
    spec.numa_nodes = nodes;
    return spec;
}

MATCHER_P3(Node, id, cpus, memory_mib, "") {
    return arg.id == id && arg.cpus == cpus && arg.memory_mib == memory_mib;
}

TEST(Topology, NodesShareEvenly) {
    EXPECT_THAT(numa_nodes(spec(8, 2048, 2)),
                ElementsAre(Node(0, "0-3", 1024), Node(1, "4-7", 1024)));
}

TEST(Topology, WhatIsLeftOverGoesToTheFirst) {
    EXPECT_THAT(numa_nodes(spec(5, 1000, 3)),
                ElementsAre(Node(0, "0-1", 334), Node(1, "2-3", 333), Node(2, "4", 333)));
}

TEST(Topology, ASocketANodeIfTheyAreAlike) {
    EXPECT_EQ(sockets_of(spec(8, 2048, 1)), 1);
    EXPECT_EQ(sockets_of(spec(8, 2048, 4)), 4);
    EXPECT_EQ(sockets_of(spec(5, 2048, 2)), 5);
}

} // namespace
} // namespace kmatrix

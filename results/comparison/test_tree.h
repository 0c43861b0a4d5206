// SPDX-License-Identifier: GPL-2.0-only
// All runs of one selftest program in one cell, gathered into one tree of results.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/comparison/sides.h"
#include "results/comparison/tests.h"
#include "results/model.h"

namespace kmatrix {

class TestTree {
  public:
    struct Node {
        TestComparison comparison;         // tallies only; no verdict yet
        std::vector<std::size_t> children; // in the order first seen
    };

    TestTree(const std::string& cell, const TestRun& program);

    void add(const BootResult& boot, const TestRun& run);
    // A boot that should have run the program, and has no word of it.
    void add_absent(const BootResult& boot);
    // After the last run: a run that did not report a subtest which another run reported, on
    // whichever kernel, skipped it if the program skipped as a whole, and else is missing it.
    void settle();

    // The root is node 0: the program itself.
    std::vector<Node>& nodes() { return nodes_; }
    bool ran_in(const std::string& boot) const { return boots_.count(boot) != 0; }

  private:
    struct Run {
        Kernel kernel;
        std::string boot;
        int attempt;
        std::string reason; // the line that matters
        Status status;
        std::vector<bool> reported; // by node
    };

    std::size_t child(std::size_t parent, const std::string& name);
    void add_subtests(std::size_t parent, const std::vector<ktap::Test>& tests, Run& run);
    static void count(TestTally& tally, const Run& run, Status status, const std::string& line,
                      std::vector<std::string> lines);

    std::vector<Node> nodes_;
    std::map<std::pair<std::size_t, std::string>, std::size_t> places_; // by parent and name
    std::vector<Run> runs_;
    std::set<std::string> boots_;
    Sides<double> seconds_;
};

} // namespace kmatrix

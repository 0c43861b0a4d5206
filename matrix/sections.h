// SPDX-License-Identifier: GPL-2.0-only
// The sections of a matrix file that stand for themselves: [vm], [gate], [[selftest]] and
// [[benchmark]]. docs/matrix.md says what each key means.
#pragma once

#include <filesystem>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/toml_reader.h"

namespace kmatrix {

// An entry with the places that later checks point at.
struct SelftestEntry {
    Selftest selftest;
    Place place, only_place;
};

struct BenchmarkEntry {
    Benchmark benchmark;
    Place place, only_place, busycpus_place;
};

struct VmSection {
    Vm vm;
    Place numa_nodes_place;
};

// Each takes the whole file's table, and complains of what is wrong; what it returns then is of no
// use but to find more that is wrong.
VmSection read_vm(const toml::table& root, Complaints& complaints);
Gate read_gate(const toml::table& root, Complaints& complaints);
std::vector<SelftestEntry> read_selftests(const toml::table& root, Complaints& complaints);
// `directory` is that of the matrix file, to which commands are relative. `look_for_commands`: each
// must be there, with an executable `run`.
std::vector<BenchmarkEntry> read_benchmarks(const toml::table& root,
                                            const std::filesystem::path& directory,
                                            bool look_for_commands, Complaints& complaints);

// The key `only` of an entry: a filter in the words of --only.
void read_only(TableReader& table, Filter& only);

// "proc:proc-maps-race", or "proc" for a whole target: as an include names it.
std::string selftest_name(const Selftest& selftest);

} // namespace kmatrix

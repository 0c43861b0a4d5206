// SPDX-License-Identifier: GPL-2.0-only
// What one build may use of the machine. All are many times what a kernel needs: they are for a
// Makefile that wants to harm, or that a fault has sent round in circles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace kmatrix {

struct BuildLimits {
    int processes = 4096;                        // at once, threads too
    std::uint64_t file_bytes = 8ull << 30;       // the largest file; a debug vmlinux has 1 GiB
    std::uint64_t address_bytes = 16ull << 30;   // of one process; linking with debug info takes 4
    std::uint64_t temporary_bytes = 2ull << 30;  // in /tmp, which is memory
    std::uint64_t cpu_s = 3600;                  // of one process
    std::uint64_t disk_floor_bytes = 2ull << 30; // with less free, nothing starts or goes on
};

// The command under the rlimits, which it cannot raise again. To be run inside of the sandbox: the
// number of processes is then counted in its user namespace alone. It does not bind root, whom the
// kernel exempts (kernel/fork.c, copy_process()); hence BuildGroup. Pure.
std::vector<std::string> limited(const BuildLimits& limits,
                                 const std::vector<std::string>& command);

// Why nothing may start that writes below the directory, or the nearest one that exists: too little
// is free. Empty: enough is. Errors are no reason.
std::string disk_objection(const std::filesystem::path& directory, std::uint64_t floor_bytes);

// A cgroup for one build, where the machine lets us make one: version 2 with a "pids" controller
// delegated to an ancestor of ours, or version 1's "pids". Removed at destruction, with a kill of
// whatever is left in it.
class BuildGroup {
  public:
    // Never fails: what cannot be had is not there.
    static BuildGroup make(const BuildLimits& limits);
    BuildGroup(BuildGroup&& other) noexcept;
    BuildGroup& operator=(BuildGroup&&) = delete;
    ~BuildGroup();

    // Where a process writes "0" to enter; empty: there is no group.
    std::filesystem::path door() const;

  private:
    explicit BuildGroup(std::filesystem::path directory) : directory_(std::move(directory)) {}
    std::filesystem::path directory_; // empty: none
};

// The cgroups in which a child could hold a build, best first, from the text of /proc/self/cgroup.
// Pure.
std::vector<std::filesystem::path> group_parents(const std::string& cgroups,
                                                 const std::filesystem::path& mount);

// The command in the group (where there is one), the first to be killed when memory is short, and
// with the filter of system calls open as descriptor 9 for bubblewrap. Pure.
std::vector<std::string> entering(const std::filesystem::path& door,
                                  const std::filesystem::path& filter,
                                  const std::vector<std::string>& command);
inline constexpr const char* filter_descriptor = "9";

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest_files.h"

#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "base/files.h"
#include "images/plan.h"
#include "places.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

// Folders that may hold our programs, best first.
std::vector<fs::path> program_folders() {
    if (const char* given = std::getenv("KMATRIX_GUEST_DIR"); given != nullptr && *given != '\0') {
        return {given}; // whoever gives one wants no other
    }
    std::vector<fs::path> folders;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        folders.push_back(self.parent_path().parent_path() / "share/kmatrix/guest");
    }
    folders.emplace_back(KMATRIX_GUEST_DIR);
    return folders;
}

Result<fs::path> find_program(const std::string& arch, const std::string& name) {
    std::string looked;
    for (const fs::path& folder : program_folders()) {
        fs::path program = folder / arch / name;
        std::error_code error;
        if (fs::is_regular_file(program, error)) {
            return program;
        }
        looked += (looked.empty() ? "" : ", nor ") + program.string();
    }
    return infrastructure_error(
        fmt::format("the guests' program {} is missing: there is no {}; build kmatrix whole "
                    "(cmake --build), or let KMATRIX_GUEST_DIR name the folder",
                    name, looked));
}

} // namespace

Result<GuestFiles> find_guest_files(Arch arch) {
    const std::string name(to_string(arch));
    auto agent = find_program(name, "kmatrix-agent");
    if (!agent) {
        return tl::unexpected(agent.error());
    }
    auto latency = find_program(name, "procfs-latency");
    if (!latency) {
        return tl::unexpected(latency.error());
    }
    const fs::path busybox = cache_directory() / "guest" / name / "bin" / "busybox";
    std::error_code error;
    if (!fs::is_regular_file(busybox, error)) {
        return infrastructure_error(
            fmt::format("{} is missing; tools/fetch-guest brings it", busybox.string()));
    }
    return GuestFiles{*agent, *latency, busybox};
}

std::vector<ImageEntry> base_entries(const GuestFiles& files) {
    using Content = ImageEntry::Content;
    using Directory = ImageEntry::Directory;
    using HostFile = ImageEntry::HostFile;
    std::vector<ImageEntry> entries{
        {"/init", HostFile{files.agent}, 0755},
        {latency_path, HostFile{files.procfs_latency}, 0755},
        {"/bin/busybox", HostFile{files.busybox}, 0755},
        {"/bin/sh", ImageEntry::Symlink{"busybox"}},
        {"/etc/passwd",
         Content{"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"}, 0644},
        {"/etc/group", Content{"root:x:0:\nnogroup:x:65534:\n"}, 0644},
        {"/etc/hosts", Content{"127.0.0.1 localhost\n"}, 0644},
        {"/root", Directory{}, 0700},
        {"/tmp", Directory{}, 01777},
    };
    for (const char* folder : {"/dev", "/proc", "/run", "/sys", "/usr/bin", "/var/tmp"}) {
        entries.push_back({folder, Directory{}, 0755});
    }
    return entries;
}

} // namespace kmatrix

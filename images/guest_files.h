// SPDX-License-Identifier: GPL-2.0-only
// The programs that every guest gets, where they are on this machine, and the image that is made of
// them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "images/initramfs.h"
#include "matrix/matrix.h"

namespace kmatrix {

struct GuestFiles {
    std::filesystem::path agent;          // ours, built by the CMake build
    std::filesystem::path procfs_latency; // ours
    std::filesystem::path busybox;        // Debian's busybox-static
};

// Ours are looked for in $KMATRIX_GUEST_DIR, in the folder of the build, and in
// ../share/kmatrix/guest beside the running program's folder: the first of these that is there.
// busybox is where tools/fetch-guest puts it, in cache_directory()/guest. Errors name the file and
// the command that brings it.
Result<GuestFiles> find_guest_files(Arch arch);

// The entries that every image has: init, busybox with /bin/sh, procfs-latency, mount points, and
// the few files of /etc that programs look for. Selftests and the like are added to them.
std::vector<ImageEntry> base_entries(const GuestFiles& files);

} // namespace kmatrix

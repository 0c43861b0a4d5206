// SPDX-License-Identifier: GPL-2.0-only
// Writes initramfs images: cpio archives of the format "newc" (the kernel's
// Documentation/driver-api/early-userspace/buffer-format.rst), not compressed, because under
// emulation unpacking costs more than reading.
//
// The same entries give the same bytes: sorted, all of user and group 0, all of one fixed time.
// Nothing of this machine gets in but the entries themselves: no file is reached through a symbolic
// link, and devices, sockets and FIFOs are refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace kmatrix {

struct ImageEntry {
    struct Directory {};
    struct HostFile { // a regular file's content
        std::filesystem::path path;
    };
    struct Content {
        std::string bytes;
    };
    struct Symlink { // the target as the guest reads it
        std::string target;
    };

    std::string path; // in the guest, absolute: "/selftests/patched/proc/read"
    std::variant<Directory, HostFile, Content, Symlink> what;
    unsigned mode = 0755; // permissions; a symbolic link has none
};

// A folder of this machine with all that is in it, to be at `guest_path`. Permissions become 0755
// for folders and for files that anybody may execute, 0644 for other files; symbolic links stay as
// they are. Sorted by name. Errors: what cannot be read; a device, socket or FIFO.
Result<std::vector<ImageEntry>> directory_tree(const std::filesystem::path& host_directory,
                                               const std::string& guest_path);

// The archive, whole or not at all; the file's folder is made. Missing parent directories of
// entries are added. Errors: a path that is not absolute or has "." or ".." in it, a path twice
// (directories may be), a path below one that is no directory, a file that cannot be read.
Result<void> write_initramfs(std::vector<ImageEntry> entries, const std::filesystem::path& file);

// The same in memory; for what is small.
Result<std::string> initramfs_bytes(std::vector<ImageEntry> entries);

// An archive of nothing but the plan of one boot, at protocol::plan_path.
Result<std::string> make_plan_archive(std::string_view plan_json);

// base + archive, which the kernel unpacks one after the other; the second begins at a multiple of
// four bytes. The base image is made once for many boots.
Result<void> concatenate(const std::filesystem::path& base, std::string_view archive,
                         const std::filesystem::path& file);

} // namespace kmatrix

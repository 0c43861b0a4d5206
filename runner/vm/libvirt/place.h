// SPDX-License-Identifier: GPL-2.0-only
// Where guests' files and the embedded driver's root lie.
//
// A place has a short path, since libvirt makes UNIX sockets below it whose paths the kernel limits
// to 108 bytes; belongs to the caller alone; and can be reached by the user that QEMU runs as. It
// is kept between runs, for the driver's cache of QEMU's capabilities, which takes seconds to fill.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace kmatrix::libvirt {

// The first of `candidates` that is such a place; made if it is missing. `other_user`: QEMU is
// another user than the caller, so every directory on the way must let others through.
Result<std::filesystem::path> choose_place(const std::vector<std::filesystem::path>& candidates,
                                           bool other_user);

// kmatrix's cache directory; /var/cache/kmatrix for root; $XDG_RUNTIME_DIR/kmatrix;
// /tmp/kmatrix-UID.
std::vector<std::filesystem::path> usual_places();

// Of the driver `qemu:///embed?root=`: a directory that no other process has while this one lives,
// with its configuration written, and nothing in it of a run that died. A process gets the same one
// each time, since libvirt opens only one root in a process.
struct EmbedRoot {
    std::filesystem::path path;
    std::string log; // of libvirt itself
};
Result<EmbedRoot> embed_root(const std::filesystem::path& place);

// The configuration of the embedded driver; `qemu_user` empty: QEMU runs as the caller.
std::string qemu_conf(const std::string& qemu_user);

// Removes the folders PLACE/guests/NAME of guests whose kmatrix is dead.
void sweep_folders(const std::filesystem::path& place);

} // namespace kmatrix::libvirt

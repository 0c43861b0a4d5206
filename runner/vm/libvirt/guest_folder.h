// SPDX-License-Identifier: GPL-2.0-only
// What a running guest has on the host's disk.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "runner/vm/domain_xml.h"
#include "runner/vm/guardian.h"
#include "runner/vm/vm.h"

namespace kmatrix::libvirt {

// A folder with copies of kernel and initrd where QEMU's user can read them, and the FIFOs of the
// two streams. Copies, since the user's own may lie behind directories that QEMU's user may not
// enter, and since libvirt gives what QEMU opens to that user. Removed on destruction, and by the
// guardian if kmatrix dies before.
class GuestFolder {
  public:
    static Result<GuestFolder> make(const std::filesystem::path& place, const std::string& name,
                                    const GuestSpec& spec, const Guardian& guardian);
    GuestFolder(GuestFolder&& other) noexcept;
    GuestFolder& operator=(GuestFolder&& other) noexcept;
    GuestFolder(const GuestFolder&) = delete;
    GuestFolder& operator=(const GuestFolder&) = delete;
    ~GuestFolder();

    const DomainFiles& files() const { return files_; }

  private:
    GuestFolder(std::filesystem::path path, const Guardian& guardian)
        : path_(std::move(path)), guardian_(&guardian) {}
    std::filesystem::path path_;
    const Guardian* guardian_;
    DomainFiles files_;
};

// Both ends of a FIFO. While the writing end is open the reader sees no end of file; closed once
// QEMU has its own, it sees one when QEMU is gone.
struct Fifo {
    static Result<Fifo> open(const std::filesystem::path& path); // non-blocking
    int read_fd = -1;
    int write_fd = -1;
};

} // namespace kmatrix::libvirt

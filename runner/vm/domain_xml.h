// SPDX-License-Identifier: GPL-2.0-only
// A guest as libvirt's domain XML (https://libvirt.org/formatdomain.html).
#pragma once

#include <filesystem>
#include <string>

#include "runner/vm/vm.h"

namespace kmatrix {

// What a domain needs besides its spec: its name, and the files that QEMU opens, where QEMU's user
// can reach them.
struct DomainFiles {
    std::string name;
    std::filesystem::path kernel, initrd;
    // Pairs of FIFOs "PATH.in" and "PATH.out", as libvirt's `pipe` devices have them.
    std::filesystem::path console, channel;
};

// A machine with nothing but CPUs, memory, a serial port, a virtio-serial channel and a panic
// device: no disk, no network, no display, no USB, no balloon. Whatever ends it, it stays off.
std::string domain_xml(const GuestSpec& spec, const DomainFiles& files);

} // namespace kmatrix

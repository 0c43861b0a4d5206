// SPDX-License-Identifier: GPL-2.0-only
// KVM or emulation.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/vm/vm.h"

namespace kmatrix {

struct AccelChoice {
    Accel accel = Accel::tcg; // never automatic
    std::string why;          // a line for the user; empty: nothing to say
};

// The host, as far as the choice depends on it.
struct KvmHost {
    std::filesystem::path device;  // /dev/kvm
    std::filesystem::path boot_id; // /proc/sys/kernel/random/boot_id
    std::filesystem::path memory;  // what the probe found, and under which boot and QEMU
    std::string machine;           // uname -m: "x86_64", "aarch64"
    std::chrono::milliseconds silence{15'000}; // until the kernel's first line
    std::chrono::milliseconds limit{60'000};   // until the agent's marker
};
KvmHost this_host();

// Whether an earlier probe, since the host's last boot and by the same user, found that KVM does
// not run kernels here. False where none was made: then nobody knows.
bool kvm_known_bad(const KvmHost& host);

// What `wanted` comes to for the guest `probe`, a kernel and initrd with the agent. "auto" for the
// host's own architecture boots it under KVM until the agent's marker stands on the console, for a
// /dev/kvm may be there, be opened, make a virtual machine, and still run no kernel. What comes out
// is remembered until the host is booted again or has another QEMU. Errors: KVM is asked for by
// name and the architecture is another (the user's); never that KVM does not work.
boost::asio::awaitable<Result<AccelChoice>> choose_accel(Hypervisor& hypervisor, Accel wanted,
                                                         GuestSpec probe, KvmHost host);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Virtual machines as the rest of kmatrix sees them: something that starts guests, and a guest that
// runs, says things on two streams, and ends. runner/vm/libvirt is the real one; runner/vm/fake.h
// plays one in milliseconds for tests.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "matrix/matrix.h"
#include "results/model.h"

namespace kmatrix {

struct GuestSpec {
    std::string title; // the boot's id, for a person who lists the domains
    Arch arch = Arch::x86_64;
    Accel accel = Accel::tcg; // never automatic: choose_accel (runner/vm/accel.h) decides before
    int vcpus = 4;
    int memory_mib = 2048;
    int numa_nodes = 1;
    std::filesystem::path kernel; // bzImage or Image
    std::filesystem::path initrd; // empty: none
    std::string cmdline;          // whole: kernel_cmdline (runner/vm/kernel_cmdline.h)
};

// Where a guest's bytes go, as they come: cut anywhere, in order, on the executor of the coroutine
// that called Hypervisor::start.
struct GuestOutput {
    std::function<void(std::string_view)> console; // the first serial port
    std::function<void(std::string_view)> channel; // the virtio-serial port protocol::port_name
};

// How a guest ended, as the machine saw it; whether that is good is for others to judge.
struct PoweredOff {}; // by the guest
struct Crashed {};    // the guest reported a panic to the pvpanic device
struct Rebooted {};   // by the guest, or a triple fault; a guest that reboots is not started again
struct Destroyed {};  // by Guest::destroy
struct Died {         // the emulator itself failed, or somebody killed it
    std::string what; // libvirt's word for it
    std::string log;  // the emulator's last lines
};
using GuestEnd = std::variant<PoweredOff, Crashed, Rebooted, Destroyed, Died>;

// A running guest. Its destruction kills it, without waiting until it is gone.
class Guest {
  public:
    Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;
    virtual ~Guest() = default;

    // Waits until the guest has ended and all that it ever said is with GuestOutput. Nothing: it
    // still runs at `until`, or somebody nudged, or the caller was cancelled. One caller at a time.
    virtual boost::asio::awaitable<std::optional<GuestEnd>>
    wait_end(std::chrono::steady_clock::time_point until) = 0;
    // Makes a wait_end return early: what was waited for has changed.
    virtual void nudge() = 0;

    // Kills the guest and waits for its end. Not to be cancelled. Does nothing to one that ended.
    // Error: it could not be killed.
    virtual boost::asio::awaitable<Result<void>> destroy() = 0;

    // CPU time that the emulator has used so far, or had used when it was last looked at.
    virtual double cpu_s() const = 0;
};

class Hypervisor {
  public:
    Hypervisor() = default;
    Hypervisor(const Hypervisor&) = delete;
    Hypervisor& operator=(const Hypervisor&) = delete;
    virtual ~Hypervisor() = default;

    // Powers a guest on. An Error is never the kernel's fault: no memory, no emulator, no libvirt,
    // a file that cannot be read. If the caller is cancelled meanwhile the guest is killed again,
    // and boost::system::system_error(operation_aborted) is thrown.
    virtual boost::asio::awaitable<Result<std::unique_ptr<Guest>>> start(GuestSpec spec,
                                                                         GuestOutput output) = 0;

    // Versions and host, for every result; `accel` and `overcommitted` are the caller's to set.
    virtual Machine machine() const = 0;
};

} // namespace kmatrix

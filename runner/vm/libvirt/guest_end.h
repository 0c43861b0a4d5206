// SPDX-License-Identifier: GPL-2.0-only
// How a guest ended, out of what QEMU and libvirt report. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "runner/vm/vm.h"

namespace kmatrix::libvirt {

// Collects the events of one guest until libvirt says that it has stopped. libvirt's own life-cycle
// events are the same for power-off, reboot and, without a panic device that it knows, panic;
// QEMU's events (docs/interop/qemu-qmp-ref) tell them apart.
class EndEvents {
  public:
    // An event of QEMU's monitor and its data, a JSON object: GUEST_PANICKED, and SHUTDOWN with its
    // "reason". Others are ignored.
    void monitor(std::string_view event, std::string_view details);
    // An event of libvirt's life cycle, VIR_DOMAIN_EVENT_*, and its detail. True: it has stopped.
    bool lifecycle(int event, int detail);
    // kmatrix itself is killing it.
    void destroying() { destroying_ = true; }

    // To be asked once it has stopped. What no event explains is Died.
    GuestEnd end() const;

  private:
    std::optional<GuestEnd> cause_; // the first counts
    bool destroying_ = false;
    int stopped_detail_ = -1;
};

} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/guest_end.h"

#include <libvirt/libvirt.h>
#include <nlohmann/json.hpp>

namespace kmatrix::libvirt {
namespace {

// QEMU's ShutdownCause, as far as the guest itself can be one.
std::optional<GuestEnd> shutdown_cause(std::string_view reason) {
    if (reason == "guest-shutdown")
        return PoweredOff{};
    if (reason == "guest-reset")
        return Rebooted{};
    if (reason == "guest-panic")
        return Crashed{};
    return std::nullopt;
}

} // namespace

void EndEvents::monitor(std::string_view event, std::string_view details) {
    if (cause_)
        return;
    if (event == "GUEST_PANICKED") {
        cause_ = Crashed{};
        return;
    }
    if (event != "SHUTDOWN")
        return;
    const auto json = nlohmann::json::parse(details, nullptr, false);
    if (json.is_object() && json.contains("reason") && json["reason"].is_string())
        cause_ = shutdown_cause(json["reason"].get<std::string>());
}

bool EndEvents::lifecycle(int event, int detail) {
    if (event == VIR_DOMAIN_EVENT_CRASHED && !cause_)
        cause_ = Crashed{};
    if (event != VIR_DOMAIN_EVENT_STOPPED)
        return false;
    stopped_detail_ = detail;
    return true;
}

GuestEnd EndEvents::end() const {
    if (cause_)
        return *cause_;
    if (destroying_)
        return Destroyed{};
    switch (stopped_detail_) {
    case VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN:
        return PoweredOff{};
    case VIR_DOMAIN_EVENT_STOPPED_CRASHED:
        return Crashed{};
    case VIR_DOMAIN_EVENT_STOPPED_DESTROYED:
        return Destroyed{};
    default:
        return Died{"libvirt reports that QEMU ended, and nothing of why", {}};
    }
}

} // namespace kmatrix::libvirt

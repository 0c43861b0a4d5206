// SPDX-License-Identifier: GPL-2.0-only
// Guests in QEMU through libvirt.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/vm/guardian.h"
#include "runner/vm/vm.h"

namespace kmatrix {

// Connects to libvirt: "qemu:///embed", whose driver runs in this process, "qemu:///session" or
// "qemu:///system" (runner/vm/libvirt/uri.h). First kills and removes what dead kmatrix processes
// left; what this one leaves if it dies, the guardian does. One at a time in a process, and always
// on the same executor's thread; it must be destroyed before the executor's context and the
// guardian, and its guests before it. Cannot be cancelled.
boost::asio::awaitable<Result<std::unique_ptr<Hypervisor>>>
open_hypervisor(std::string uri, const Guardian& guardian);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The libvirt uris that kmatrix takes (https://libvirt.org/uri.html).
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix::libvirt {

enum class Driver {
    embed,   // QEMU's driver in this process: no daemon
    session, // the user's own daemon, which libvirt starts
    system,  // the machine's daemon
};

// "qemu:///embed", "qemu:///session" or "qemu:///system"; anything else is a user's error that says
// what is taken and, of a remote uri, why it is not.
Result<Driver> parse_uri(std::string_view uri);

} // namespace kmatrix::libvirt

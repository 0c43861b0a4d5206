// SPDX-License-Identifier: GPL-2.0-only
// A boot again, by hand.
#pragma once

#include <string>

#include "runner/vm/vm.h"

namespace kmatrix {

// A command line of QEMU, for a shell, that boots the guest with the same machine as domain_xml
// describes, the console on the terminal (Ctrl-A X ends it), and nobody to hear the agent.
std::string qemu_command(const GuestSpec& spec);

} // namespace kmatrix

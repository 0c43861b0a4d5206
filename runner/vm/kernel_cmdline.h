// SPDX-License-Identifier: GPL-2.0-only
// The kernel command line of a boot.
#pragma once

#include <string>
#include <string_view>

#include "matrix/matrix.h"

namespace kmatrix {

// Console on the first serial port from the first instruction on; a panic ends the machine at once;
// under emulation the guest's own watchdogs are stretched, since a vCPU there may stand still for
// seconds; the user's own words at the end, where they win.
//
// The stretched figures are syzkaller's for emulated machines: RCU stall 300 s (also the most that
// the kernel takes), watchdog_thresh 165 s, workqueue 420 s.
std::string kernel_cmdline(Arch arch, Accel accel, std::string_view users);

} // namespace kmatrix

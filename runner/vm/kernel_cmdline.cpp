// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/kernel_cmdline.h"

#include <cassert>

#include "base/text.h"

namespace kmatrix {

std::string kernel_cmdline(Arch arch, Accel accel, std::string_view users) {
    assert(accel != Accel::automatic);
    std::string line;
    switch (arch) {
    case Arch::x86_64:
        // earlyprintk has what is printed before the console is registered, which is all that a
        // kernel that hangs early ever says.
        line = "console=ttyS0,115200 earlyprintk=serial,ttyS0,115200";
        break;
    case Arch::arm64:
        line = "console=ttyAMA0 earlycon";
        break;
    }
    line += " printk.time=1";
    // Without a pvpanic driver in the guest this is how a panic is told from a hang.
    line += " panic=-1";
    if (accel == Accel::tcg)
        line += " rcupdate.rcu_cpu_stall_timeout=300 watchdog_thresh=165"
                " workqueue.watchdog_thresh=420";
    const std::string_view own = trim(users);
    if (!own.empty())
        line.append(" ").append(own);
    return line;
}

} // namespace kmatrix

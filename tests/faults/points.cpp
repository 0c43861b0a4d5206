// SPDX-License-Identifier: GPL-2.0-only
#include "tests/faults/points.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

namespace kmatrix::faults {
namespace {

Faults current;
int count = 0;

bool disk_is_full() {
    return current.full_from != 0 && count >= current.full_from;
}

} // namespace

void set(const Faults& faults) {
    current = faults;
    count = 0;
}

void point() {
    ++count;
    if (count == current.kill_at)
        ::kill(::getpid(), SIGKILL);
    if (count == current.interrupt_at)
        for (int i = 0; i < current.interrupts; ++i)
            ::raise(current.signal);
}

int points() {
    return count;
}

} // namespace kmatrix::faults

using namespace kmatrix::faults;

// These take the C library's place for all that is linked into this program.
extern "C" {

int fsync(int fd) {
    point();
    if (disk_is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return current.sync ? static_cast<int>(::syscall(SYS_fsync, fd)) : 0;
}

int rename(const char* from, const char* to) noexcept {
    point();
    const int result = static_cast<int>(::syscall(SYS_renameat2, -100, from, -100, to, 0));
    point();
    return result;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const int result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    if (clock == CLOCK_REALTIME && current.clock_jumps_by_s != 0) {
        static int looks = 0;
        time->tv_sec += ++looks % 2 == 0 ? current.clock_jumps_by_s : -current.clock_jumps_by_s;
    }
    return result;
}

} // extern "C"

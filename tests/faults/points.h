// SPDX-License-Identifier: GPL-2.0-only
// Where a fault can be put: between any two things that a run does to the disk, and at the
// beginning and the end of each of its stages. Nothing of it is in kmatrix: the C library's calls
// are replaced in the test program (points.cpp).
#pragma once

#include <functional>
#include <string>

namespace kmatrix::faults {

// What happens in this process, which is a child of the test's. Points count from 1.
struct Faults {
    int kill_at = 0;           // dies there by SIGKILL
    int full_from = 0;         // from there on nothing can be written: ENOSPC
    int interrupt_at = 0;      // SIGINT there,
    int interrupts = 1;        // so often
    int signal = 2;            // or another than SIGINT
    long clock_jumps_by_s = 0; // CLOCK_REALTIME, back and forth at each look
    bool sync = false;         // fsync() does its work; a SIGKILL does not need it to
};

void set(const Faults& faults);
// A place where one may come; counts it.
void point();
int points(); // so far

} // namespace kmatrix::faults

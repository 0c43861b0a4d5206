// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/deadlines.h"

#include <cassert>

namespace kmatrix {
namespace {

Deadlines base(Accel accel, int vcpus) {
    using std::chrono::seconds;
    Deadlines limits;
    if (accel == Accel::kvm) {
        limits.boot = seconds(60 + vcpus);
        limits.boot_silence = seconds(30 + vcpus / 2);
        limits.idle_silence = seconds(60);
        limits.job_slack = seconds(15);
        limits.shutdown = seconds(30);
        return limits;
    }
    limits.boot = seconds(100 + 10 * vcpus);
    limits.boot_silence = seconds(40 + 5 * vcpus);
    limits.idle_silence = seconds(120 + 5 * vcpus);
    limits.job_slack = seconds(60 + vcpus);
    limits.shutdown = seconds(60 + 2 * vcpus);
    return limits;
}

} // namespace

Deadlines deadlines(Accel accel, int vcpus, double jobs_s) {
    assert(accel != Accel::automatic);
    Deadlines limits = base(accel, vcpus);
    // A tenth for what lies between the jobs.
    limits.total = limits.boot + limits.idle_silence + limits.shutdown +
                   std::chrono::duration_cast<Deadlines::Duration>(
                       std::chrono::duration<double>(1.1 * jobs_s));
    return limits;
}

} // namespace kmatrix

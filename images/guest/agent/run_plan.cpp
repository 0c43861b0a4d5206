// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/run_plan.h"

#include "images/guest/agent/job.h"
#include "images/guest/agent/machine.h"
#include "images/guest/agent/plan.h"
#include "images/guest/agent/records.h"

namespace kmatrix::guest {

std::string run_plan(std::string_view text, const PlanOptions& options, Channel& channel) {
    channel.send(hello_record(gather_vitals()));
    for (const auto& note : options.notes) {
        channel.send(note_record(note));
    }
    const auto plan = parse_plan(text);
    if (!plan) {
        channel.send(error_record(plan.error()));
        return plan.error();
    }
    if (options.set_sysctls) {
        for (const auto& message : set_sysctls(plan->sysctls)) {
            channel.send(note_record(message));
        }
    }
    const ChildWatch watch;
    for (const Job& job : plan->jobs) {
        run_job(job, {}, channel, watch);
        if (!channel.error().empty()) {
            return channel.error();
        }
    }
    channel.send(done_record());
    return channel.error();
}

} // namespace kmatrix::guest

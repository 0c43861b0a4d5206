// SPDX-License-Identifier: GPL-2.0-only
// What kmatrix and the agent in the guest say to each other. Shared by both sides.
//
// To the guest: one JSON object, the file `plan_path` in the initramfs:
//   {"protocol": 1,
//    "sysctls": {"kernel.hung_task_timeout_secs": "420", ...},   optional, set before the first job
//    "jobs": [{"id": "proc:proc-maps-race#1",   unique in the boot
//              "argv": ["./proc-maps-race"],     run in cwd, as root
//              "cwd": "/selftests/patched/proc",
//              "timeout_s": 135,                 the whole process group is killed then; 0: none
//              "environment": ["NAME=value", ...]}, ...]}
// Jobs run one after the other, in order. When a job's own process has ended, every other process
// that it left behind is killed before the next one starts.
//
// From the guest, on the virtio-serial port `port_name`: one JSON object a line, UTF-8 (bytes that
// are not become U+FFFD):
//   {"type": "hello", "protocol": 1, "vitals": {...}}           first; results/model.h, Vitals:
//        vcpus_online, memory_kib, release, machine, cmdline, clocksource, preemption, hz,
//        page_size_bytes, mitigations
//   {"type": "note", "message": "..."}   worth knowing, at any time: a sysctl that is not there
//   {"type": "start", "id": ..., "uptime_s": 3.21}
//   {"type": "output", "id": ..., "stream": "out"|"err", "text": "..."}
//        "text" may end anywhere, at most 4,096 bytes of output a record. Each stream is in the
//        order written; between the streams the order is that in which the agent found them. At
//        most 16 MiB a job; then one line on "err" says how much was dropped
//   {"type": "end", "id": ..., "exit": 0, "signal": 0, "timed_out": false, "seconds": 30.02}
//        exit is 0 where signal is not; 127 if the job could not be run (its output says why)
//   {"type": "error", "message": "..."}  the agent cannot go on; no "done" follows
//   {"type": "done"}         last; a boot without it is incomplete, whatever else it said
// then the guest powers off.
#pragma once

namespace kmatrix::protocol {

inline constexpr int version = 1;
inline constexpr const char* port_name = "org.kmatrix.agent";
inline constexpr const char* plan_path = "/kmatrix/plan.json";
// Printed on the console by the agent as its first word.
inline constexpr const char* console_marker = "kmatrix-agent: started";
// On the kernel command line: no jobs, a shell on the console.
inline constexpr const char* shell_word = "kmatrix.shell";

} // namespace kmatrix::protocol

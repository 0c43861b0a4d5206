// SPDX-License-Identifier: GPL-2.0-only
// What kmatrix and the agent in the guest say to each other. Shared by both sides.
//
// To the guest: one JSON object, the file `plan_path` in the initramfs:
//   {"protocol": 1,
//    "jobs": [{"id": "proc:proc-maps-race#1",   unique in the boot
//              "argv": ["./proc-maps-race"],     run in cwd, as root
//              "cwd": "/selftests/patched/proc",
//              "timeout_s": 135,                 the whole process group is killed then
//              "environment": ["NAME=value", ...]}, ...]}
// Jobs run one after the other, in order.
//
// From the guest, on the virtio-serial port `port_name`: one JSON object a line, UTF-8 (bytes that
// are not become U+FFFD):
//   {"type": "hello", "protocol": 1, "vitals": {...}}           first; see results/model.h, Vitals
//   {"type": "start", "id": ..., "uptime_s": 3.21}
//   {"type": "output", "id": ..., "stream": "out"|"err", "text": "..."}   in the order written;
//        "text" may end anywhere, at most 4,096 bytes of output a record
//   {"type": "end", "id": ..., "exit": 0, "signal": 0, "timed_out": false, "seconds": 30.02}
//   {"type": "done"}         last; a boot without it is incomplete, whatever else it said
// then the guest powers off.
#pragma once

namespace kmatrix::protocol {

inline constexpr int version = 1;
inline constexpr const char* port_name = "org.kmatrix.agent";
inline constexpr const char* plan_path = "/kmatrix/plan.json";
// Printed on the console by the agent as its first word.
inline constexpr const char* console_marker = "kmatrix-agent: started";

} // namespace kmatrix::protocol

// SPDX-License-Identifier: GPL-2.0-only
// A line of a console, freed of what the kernel puts before a message: level, time stamp, the task
// or CPU that printed it (CONFIG_PRINTK_CALLER), and of control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

struct ConsoleLine {
    std::string text;    // the message
    std::string context; // who printed it: "T12" a task, "C3" a CPU; empty if the line does not say
    double time_s = -1;  // since boot; -1 if the line does not say
    std::string shown;   // the whole line, printable, at most 400 bytes
    std::size_t number = 0;
    bool of_report = false; // is_report_line(text), once somebody has asked
};

// A torn line (a message that starts in the middle of another's line) gives one ConsoleLine for
// each time stamp. At most the first 4,096 bytes are looked at. Never empty.
std::vector<ConsoleLine> clean_line(std::string_view raw, std::size_t number);

// True if the line carries a time stamp later than 0: then a kernel has been running for a while.
bool has_later_stamp(std::string_view raw);

// The message without the names of the subsystems that print reports: "rcu: ", "NMI watchdog: ".
std::string_view without_subsystem(std::string_view text);

} // namespace kmatrix

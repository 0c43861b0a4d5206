// SPDX-License-Identifier: GPL-2.0-only
// Finds every splat in a kernel's console, as it comes in or afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/console/console_line.h"
#include "results/console/finding.h"
#include "results/console/report.h"

namespace kmatrix {

// Takes a console in pieces of any size. Memory is bounded: a line is kept up to 4 KiB, a report up
// to 2,000 lines, eight reports at a time (lines of several CPUs interleave; CONFIG_PRINTK_CALLER
// tells them apart), 1,000 findings.
class ConsoleScanner {
  public:
    void feed(std::string_view bytes);
    // No more bytes will come: the last line and the open reports are taken as they are.
    void finish();

    // The kernel has panicked. True as soon as the line is complete, long before the report is.
    bool panicked() const { return panicked_; }
    // Of the reports that are complete, in the order in which they began.
    const std::vector<Finding>& findings() const { return findings_; }
    // Reports beyond the first 1,000.
    std::size_t dropped() const { return dropped_; }

  private:
    void scan(std::string_view lines);
    void take_line(std::string_view raw);
    void take_message(ConsoleLine line);
    void take_match(RuleMatch match, ConsoleLine line);
    void take_panic(RuleMatch match, ConsoleLine line);
    void take_boot(RuleMatch match, const ConsoleLine& line);
    Report* open_for(const std::string& context);
    void open(RuleMatch match, ConsoleLine line);
    void close(std::size_t number);
    void close_ended();

    std::string partial_;         // a line whose end has not come yet
    bool overlong_ = false;       // and of which more than is kept has come
    std::size_t line_number_ = 0; // of the last complete line
    std::vector<Report> open_;    // oldest first
    std::vector<Finding> findings_;
    std::size_t dropped_ = 0;
    bool panicked_ = false;
    bool running_ = false;       // a kernel has printed something after its first moments
    bool booted_ = false;        // a boot banner was seen
    bool boot_expected_ = false; // the kernel panicked or said that it restarts
    bool faulted_ = false;       // something was found that a panic may be the consequence of
};

// The whole of a console at once.
std::vector<Finding> scan_console(std::string_view console);

} // namespace kmatrix

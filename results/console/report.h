// SPDX-License-Identifier: GPL-2.0-only
// The lines of one report of a kernel, while they come in and when they are all there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/console/console_line.h"
#include "results/console/finding.h"
#include "results/console/rule.h"

namespace kmatrix {

class Report {
  public:
    // `first` is the line that matched.
    Report(RuleMatch match, ConsoleLine first);

    // Whether a line by that printer may belong to this report.
    bool takes(const std::string& context) const;

    // Whether the beginning of another report, as it seems, is still part of this one: the trap
    // that a fault led to, a message that says more of a warning that was just printed.
    bool is_continued_by(const Rule& rule) const;

    // Such a line: the report may be better described by the new rule.
    void continue_with(RuleMatch match, ConsoleLine line);

    void add(ConsoleLine line);

    // A stall whose stacks have not come yet: other reports come before them.
    bool waits_for_stack() const;

    // Nothing more is to come.
    bool ended() const { return ended_; }
    const std::string& context() const { return context_; }
    const Rule& rule() const { return *rule_; }

    // What it says. Nothing if it turns out to be no report after all.
    std::optional<Finding> describe() const;

  private:
    const Rule* rule_;
    std::string context_;
    std::vector<ConsoleLine> lines_;
    std::size_t heading_ = 0;        // index into lines_ of the line that rule_ matched
    std::size_t heading_offset_ = 0; // and where in it
    bool cut_ = false;               // "cut here" was printed
    bool warned_ = false;            // it is a WARNING of the kernel's
    bool trapped_ = false;           // the processor's part is there
    bool framed_ = false;            // a stack has begun
    bool end_marked_ = false;        // "end trace" was printed
    bool ended_ = false;
    std::size_t quiet_ = 0; // lines since the last that only a report has
};

} // namespace kmatrix

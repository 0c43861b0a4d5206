// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/report.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "results/console/describe.h"
#include "results/console/stack.h"

namespace kmatrix {

namespace {

constexpr std::size_t most_lines = 2000;
constexpr std::size_t longest_text = 512;
// After so many lines that could be anybody's, a report is taken to be over.
constexpr std::size_t quiet_limit = 60;
// So many lines may stand between what led to a trap and the trap.
constexpr std::size_t trap_distance = 60;
// So many lines may stand between a stall and its stacks.
constexpr std::size_t stack_distance = 20;
// A message that says more of a warning follows it at once, perhaps after another CPU's line.
constexpr std::size_t message_distance = 4;

bool is_separator(std::string_view text) {
    text = trim(text);
    return text.size() >= 20 && text.find_first_not_of('=') == std::string_view::npos;
}

bool is_warning(const Rule& rule) {
    return rule.part == RulePart::head && rule.klass == "warning";
}

bool is_slab_detail(const Rule& rule) {
    return rule.title.starts_with("slab ");
}

} // namespace

Report::Report(RuleMatch match, ConsoleLine first)
    : rule_(match.rule), context_(first.context), heading_offset_(match.offset),
      cut_(match.rule->part == RulePart::cut), trapped_(match.rule->part == RulePart::trap),
      ended_(match.rule->from == From::line) {
    first.text.resize(std::min(first.text.size(), longest_text));
    lines_.push_back(std::move(first));
}

bool Report::waits_for_stack() const {
    return rule_->klass == "hang" && rule_->from != From::nowhere && !framed_ && !ended_ &&
           lines_.size() < stack_distance;
}

bool Report::takes(const std::string& context) const {
    // Other CPUs' stacks are what a stall's report is about
    const bool stall = rule_->klass == "hang" && rule_->from == From::entry;
    return context == context_ || context_.empty() || stall;
}

bool Report::is_continued_by(const Rule& rule) const {
    if (ended_) {
        return false;
    }
    if (rule_->part == RulePart::cut) {
        return !framed_ && rule.part != RulePart::cut;
    }
    const bool led = (rule_->part == RulePart::lead || rule_->part == RulePart::maybe) &&
                     !trapped_ && lines_.size() - heading_ < trap_distance;
    // The hard lockup detector printed its line, then a WARNING
    const bool lockup = rule_->title == "hard lockup" && !framed_ && !warned_ &&
                        lines_.size() - heading_ < message_distance;
    const bool asserted = led && !framed_ && rule_->klass != "oops" && rule_->klass != "memory";
    switch (rule.part) {
    case RulePart::trap: {
        const bool counted = rule.klass == "leak" || rule.klass == "memory";
        return led && (!counted || rule.klass == rule_->klass);
    }
    case RulePart::panic:
        return false;
    case RulePart::cut:
        return (led && !framed_) || lockup;
    case RulePart::lead:
        // "kernel BUG at" after what it was about; or, from 7.0 on, the message after the warning
        return (asserted && rule.title == "kernel BUG") ||
               (is_warning(*rule_) && !framed_ && lines_.size() - heading_ < message_distance);
    case RulePart::head:
        return ((asserted || lockup) && is_warning(rule)) ||
               (is_slab_detail(rule) && !framed_ &&
                (is_slab_detail(*rule_) || rule_->klass == "sanitizer"));
    case RulePart::ignored:
    case RulePart::maybe:
    case RulePart::note:
    case RulePart::boot:
    case RulePart::farewell:
        return false;
    }
    return false;
}

void Report::continue_with(RuleMatch match, ConsoleLine line) {
    const bool unnamed = rule_->part == RulePart::cut;
    if (unnamed || (match.rule->part == RulePart::lead && is_warning(*rule_))) {
        warned_ = is_warning(*rule_);
        rule_ = match.rule;
        heading_ = lines_.size();
        heading_offset_ = match.offset;
    }
    warned_ = warned_ || is_warning(*match.rule);
    trapped_ = trapped_ || match.rule->part == RulePart::trap || is_warning(*match.rule);
    add(std::move(line));
}

void Report::add(ConsoleLine line) {
    if (ended_) {
        return;
    }
    line.text.resize(std::min(line.text.size(), longest_text));
    const bool frame = parse_frame(line.text).has_value();
    line.of_report = frame || is_report_line(line.text);
    quiet_ = line.of_report ? 0 : quiet_ + 1;
    framed_ = framed_ || frame;
    const bool separator = is_separator(line.text) && framed_;
    if (trim(line.text).starts_with("---[ end ")) {
        end_marked_ = true;
    }
    lines_.push_back(std::move(line));
    ended_ = separator || (end_marked_ && framed_) || quiet_ >= quiet_limit ||
             lines_.size() >= most_lines;
}

std::optional<Finding> Report::describe() const {
    switch (rule_->part) {
    case RulePart::maybe:
        if (!trapped_) {
            return std::nullopt;
        }
        break;
    case RulePart::cut:
        if (!framed_ || !end_marked_) {
            return std::nullopt;
        }
        break;
    case RulePart::note:
        if (!framed_ && !cut_ && reads_like_a_note(lines_[heading_].text)) {
            return std::nullopt;
        }
        break;
    case RulePart::ignored:
    case RulePart::head:
    case RulePart::lead:
    case RulePart::trap:
    case RulePart::panic:
    case RulePart::boot:
    case RulePart::farewell:
        break;
    }
    auto finding = describe_report(*rule_, lines_, heading_, heading_offset_);
    // A warning is what the kernel calls it; but corruption is corruption, however it is reported
    if (warned_ && finding.klass == "bug" && !finding.title.starts_with("corrupted list")) {
        finding.klass = "warning";
    }
    return finding;
}

} // namespace kmatrix

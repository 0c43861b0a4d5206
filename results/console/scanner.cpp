// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/scanner.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kmatrix {

namespace {

constexpr std::size_t longest_kept = 4096;
constexpr std::size_t most_open = 8;
constexpr std::size_t most_findings = 1000;

// By find(), which looks at many bytes at once.
std::size_t count_lines(std::string_view text) {
    std::size_t lines = 0;
    for (auto end = text.find('\n'); end != std::string_view::npos;
         end = text.find('\n', end + 1)) {
        ++lines;
    }
    return lines;
}

// A kernel that runs prints stamps later than 0. Only the beginnings of lines are looked at.
bool any_later_stamp(std::string_view lines) {
    while (!lines.empty()) {
        if (has_later_stamp(lines.substr(0, lines.find('\n')))) {
            return true;
        }
        lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
    }
    return false;
}

} // namespace

void ConsoleScanner::feed(std::string_view bytes) {
    if (!partial_.empty() || overlong_) {
        const auto end = bytes.find('\n');
        const auto rest = bytes.substr(0, end);
        const auto room = longest_kept - std::min(longest_kept, partial_.size());
        overlong_ = overlong_ || rest.size() > room;
        partial_ += rest.substr(0, room);
        if (end == std::string_view::npos) {
            return;
        }
        bytes.remove_prefix(end + 1);
        overlong_ = false;
        const std::string line = std::exchange(partial_, {}) + '\n';
        scan(line);
    }
    const auto last = bytes.rfind('\n');
    const auto complete = last == std::string_view::npos ? 0 : last + 1;
    scan(bytes.substr(0, complete));
    const auto rest = bytes.substr(complete);
    partial_ = rest.substr(0, longest_kept);
    overlong_ = rest.size() > longest_kept;
}

void ConsoleScanner::finish() {
    if (!partial_.empty()) {
        overlong_ = false;
        const std::string line = std::exchange(partial_, {}) + '\n';
        scan(line);
    }
    while (!open_.empty()) {
        close(0);
    }
}

// Whole lines. While no report is open, all that has no word of a rule is skipped at the speed of
// find_wake.
void ConsoleScanner::scan(std::string_view lines) {
    while (!lines.empty()) {
        if (open_.empty()) {
            const auto wake = find_wake(lines);
            const auto before = wake == std::string_view::npos ? std::string_view::npos
                                                               : lines.substr(0, wake).rfind('\n');
            const auto skipped = wake == std::string_view::npos     ? lines.size()
                                 : before == std::string_view::npos ? 0
                                                                    : before + 1;
            const auto quiet = lines.substr(0, skipped);
            line_number_ += count_lines(quiet);
            running_ = running_ || any_later_stamp(quiet);
            lines.remove_prefix(skipped);
            if (lines.empty()) {
                return;
            }
        }
        const auto end = lines.find('\n');
        ++line_number_;
        take_line(lines.substr(0, end));
        lines.remove_prefix(end + 1);
    }
}

void ConsoleScanner::take_line(std::string_view raw) {
    for (auto& line : clean_line(raw, line_number_)) {
        take_message(std::move(line));
    }
}

void ConsoleScanner::take_message(ConsoleLine line) {
    const auto match = match_rule(line.text);
    // Prose without a time stamp, where the kernel has them, is a program's
    const bool foreign =
        match && match->rule->part == RulePart::note && running_ && line.time_s < 0;
    if (match && match->rule->part != RulePart::ignored && !foreign) {
        take_match(*match, std::move(line));
    } else {
        running_ = running_ || line.time_s > 0;
        for (auto& report : open_) {
            if (report.takes(line.context)) {
                report.add(line);
            }
        }
    }
    close_ended();
}

void ConsoleScanner::take_match(RuleMatch match, ConsoleLine line) {
    const Rule& rule = *match.rule;
    if (rule.part == RulePart::boot) {
        take_boot(match, line);
        return;
    }
    running_ = running_ || line.time_s > 0;
    if (rule.part == RulePart::farewell) {
        boot_expected_ = true;
        return;
    }
    if (rule.part == RulePart::panic) {
        take_panic(match, std::move(line));
        return;
    }
    if (Report* report = open_for(line.context);
        report != nullptr && report->is_continued_by(rule)) {
        report->continue_with(match, std::move(line));
        return;
    }
    open(match, std::move(line));
}

void ConsoleScanner::take_panic(RuleMatch match, ConsoleLine line) {
    panicked_ = true;
    boot_expected_ = true;
    Report* report = open_for(line.context);
    const bool nameless = report != nullptr && report->rule().part == RulePart::cut;
    if (is_consequence(line.text) && (faulted_ || (!open_.empty() && !nameless))) {
        for (auto& each : open_) {
            if (each.takes(line.context)) {
                each.add(line);
            }
        }
        return;
    }
    if (nameless && report->is_continued_by(*match.rule)) {
        report->continue_with(match, std::move(line));
        return;
    }
    open(match, std::move(line));
}

void ConsoleScanner::take_boot(RuleMatch match, const ConsoleLine& line) {
    const bool banner = match.rule->pattern.starts_with("Linux version");
    // Where lines have stamps, a banner that has none or a late one is the text of /proc/version
    constexpr double latest_banner_s = 1;
    if (banner && running_ && (line.time_s < 0 || line.time_s > latest_banner_s)) {
        return;
    }
    const bool again = running_ || (banner && booted_);
    if (again) {
        while (!open_.empty()) {
            close(0);
        }
        if (!std::exchange(boot_expected_, false)) {
            open(match, line);
            close(open_.size() - 1);
        }
        running_ = false;
        booted_ = false;
        faulted_ = false;
    }
    booted_ = booted_ || banner;
}

// The youngest report that a line by this printer belongs to.
Report* ConsoleScanner::open_for(const std::string& context) {
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Report& report) {
        return report.context() == context || report.context().empty() || context.empty();
    });
    return found == open_.rend() ? nullptr : &*found;
}

void ConsoleScanner::open(RuleMatch match, ConsoleLine line) {
    // Who begins a report has ended the one before; a single line may come between
    for (std::size_t i = open_.size(); i-- > 0 && match.rule->from != From::line;) {
        const bool same = open_[i].context() == line.context;
        // Of whom nothing is known but that it panicked, it is not known either that it goes on
        const bool other = line.context.empty() && open_[i].rule().part == RulePart::panic;
        if (same && !other && !open_[i].waits_for_stack()) {
            close(i);
        }
    }
    if (open_.size() >= most_open) {
        close(0);
    }
    open_.emplace_back(match, std::move(line));
}

void ConsoleScanner::close(std::size_t number) {
    auto finding = open_[number].describe();
    open_.erase(std::next(open_.begin(), static_cast<std::ptrdiff_t>(number)));
    if (!finding) {
        return;
    }
    faulted_ = true;
    if (findings_.size() < most_findings) {
        const auto place = std::upper_bound(
            findings_.begin(), findings_.end(), finding->line,
            [](std::size_t line, const Finding& other) { return line < other.line; });
        findings_.insert(place, std::move(*finding));
    } else {
        ++dropped_;
    }
}

void ConsoleScanner::close_ended() {
    for (std::size_t i = open_.size(); i-- > 0;) {
        if (open_[i].ended()) {
            close(i);
        }
    }
}

std::vector<Finding> scan_console(std::string_view console) {
    ConsoleScanner scanner;
    scanner.feed(console);
    scanner.finish();
    return scanner.findings();
}

} // namespace kmatrix

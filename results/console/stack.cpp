// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/stack.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kmatrix {

namespace {

bool starts_with_any(std::string_view text, std::span<const std::string_view> starts) {
    return !text.empty() && std::any_of(starts.begin(), starts.end(), [&](std::string_view start) {
        return text[0] == start[0] && text.starts_with(start);
    });
}

// What a heading says of the stack below it; nothing for a line that is no heading.
std::optional<StackKind> heading(std::string_view text) {
    static constexpr std::array<std::string_view, 8> faults = {
        "Call Trace:", "Call trace:",   "Backtrace:",   "stack backtrace:",
        "backtrace",   "NMI backtrace", "Stack trace:", "Stack dump where",
    };
    static constexpr std::array<std::string_view, 20> histories = {
        "Allocated by",
        "Allocated in",
        "Freed by",
        "Freed in",
        "INFO: Allocated in",
        "INFO: Freed in",
        "allocated by",
        "freed by",
        "Last call_rcu():",
        "Last potentially related work creation",
        "Second to last potentially related",
        "page last allocated",
        "page last free",
        "page_owner tracks",
        "page has been migrated",
        "Uninit was",
        "Local variable",
        "-> #",
        "RCU grace-period kthread stack dump",
        "the existing dependency chain",
    };
    static constexpr std::array<std::string_view, 4> other_tasks = {
        "Showing all locks held", "Showing busy workqueues", "Showing backtraces", "Mem-Info:"};
    text = trim(without_subsystem(text));
    if (starts_with_any(text, faults)) {
        return StackKind::fault;
    }
    if (starts_with_any(text, histories) || starts_with_any(text, other_tasks)) {
        return StackKind::history;
    }
    // lockdep: "... which became HARDIRQ-irq-safe at:", "{IN-HARDIRQ-W} state was registered at:",
    // "INITIAL USE at:", "... acquired at:"
    if (text.ends_with("-irq-safe at:")) {
        return StackKind::safe_side;
    }
    if (text.ends_with(" at:")) {
        return text.find(" is trying to ") == std::string_view::npos ? StackKind::history
                                                                     : StackKind::fault;
    }
    if (text.starts_with("kfence-#") && text.find("allocated by") != std::string_view::npos) {
        return StackKind::history;
    }
    return std::nullopt;
}

void drop_uncertain(std::vector<Frame>& frames) {
    const bool certain = std::any_of(frames.begin(), frames.end(),
                                     [](const Frame& frame) { return !frame.uncertain; });
    if (certain) {
        std::erase_if(frames, [](const Frame& frame) { return frame.uncertain; });
    }
}

} // namespace

std::vector<Stack> find_stacks(std::span<const ConsoleLine> lines) {
    std::vector<Stack> stacks(1);
    bool only_registers = true; // in the last stack so far
    bool after_thread_heading = false;
    for (const auto& line : lines) {
        if (const auto kind = heading(line.text)) {
            // A thread's name and state, then "Call Trace:", follow this heading
            const bool named_before = after_thread_heading && *kind == StackKind::fault;
            after_thread_heading = trim(line.text).ends_with("kthread stack dump:");
            if (named_before) {
                continue;
            }
            if (stacks.back().frames.empty() || (only_registers && *kind == StackKind::fault &&
                                                 stacks.back().kind == StackKind::fault)) {
                stacks.back().kind = *kind;
            } else {
                stacks.push_back({*kind, {}});
            }
            only_registers = true;
            continue;
        }
        if (const auto counter = parse_program_counter(line.text)) {
            stacks.back().frames.push_back(*counter);
        } else if (auto frame = parse_frame(line.text)) {
            only_registers = false;
            after_thread_heading = false;
            const std::string caller = frame->caller;
            auto& frames = stacks.back().frames;
            if (frames.empty() || caller.empty() || frames.back().function != frame->function) {
                frames.push_back(std::move(*frame));
            }
            if (!caller.empty()) {
                Frame outer;
                outer.function = outer.symbol = caller;
                frames.push_back(std::move(outer));
            }
        }
    }
    for (auto& stack : stacks) {
        drop_uncertain(stack.frames);
    }
    return stacks;
}

bool is_report_line(std::string_view text) {
    static constexpr std::array<std::string_view, 31> starts = {
        "CPU: ",
        "Hardware name:",
        "Modules linked in:",
        "Code:",
        "RSP: ",
        "RAX: ",
        "RDX: ",
        "RBP: ",
        "R10: ",
        "R13: ",
        "FS:",
        "CS:",
        "CR2: ",
        "DR0: ",
        "DR3: ",
        "EAX: ",
        "ESI: ",
        "EFLAGS: ",
        "pstate: ",
        "lr : ",
        "sp : ",
        "Workqueue: ",
        "---[ end",
        "<TASK>",
        "</TASK>",
        "<IRQ>",
        "</IRQ>",
        "Read of size",
        "Write of size",
        "The buggy address",
        "Memory state",
    };
    text = trim(text);
    if (text.empty()) {
        return false;
    }
    return starts_with_any(text, starts) || heading(text).has_value() ||
           parse_program_counter(text).has_value() || parse_frame(text).has_value() ||
           (text.size() > 4 && text[0] == 'x' && text[1] >= '0' && text[1] <= '9' &&
            text.find(" : ") < 5) ||
           (text[0] == '#' && text.find(": ") < 5) || text.find(" held by ") < 10;
}

std::string innermost(std::span<const Stack> stacks, Fault fault) {
    for (const auto& stack : stacks) {
        if (stack.kind != StackKind::fault) {
            continue;
        }
        for (const auto& frame : stack.frames) {
            if (!is_helper(frame.function, fault)) {
                return frame.function;
            }
        }
    }
    return {};
}

std::string entry_point(std::span<const Stack> stacks) {
    for (const auto& stack : stacks) {
        if (stack.kind != StackKind::fault) {
            continue;
        }
        const auto& frames = stack.frames;
        // Past the watchdog's own frames, to what it interrupted
        const auto check = std::find_if(frames.rbegin(), frames.rend(), [](const Frame& frame) {
            return is_watchdog_check(frame.function);
        });
        auto begin = static_cast<std::size_t>(frames.rend() - check);
        while (begin < frames.size() && (is_watchdog(frames[begin].function) ||
                                         is_helper(frames[begin].function, Fault::race))) {
            ++begin;
        }
        if (begin == frames.size() || is_idle(frames[begin].function)) {
            continue;
        }
        std::string called; // the outermost function that may be at fault, seen so far
        for (std::size_t i = begin; i < frames.size(); ++i) {
            const auto& function = frames[i].function;
            if (waits_for_cpus(function)) {
                return function;
            }
            // A 32-bit program's ioctl is translated and goes to the handler of the 64-bit one
            const bool translates = function.find("compat_ioctl") != std::string::npos;
            if ((translates || is_dispatcher(function)) && !called.empty()) {
                return called;
            }
            if (!is_dispatcher(function) && !is_helper(function, Fault::access)) {
                called = function;
            }
        }
        if (!called.empty()) {
            return called;
        }
    }
    return {};
}

} // namespace kmatrix

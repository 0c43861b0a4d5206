// SPDX-License-Identifier: GPL-2.0-only
// The stacks in a report, told apart by what they show.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/console/console_line.h"
#include "results/console/frame.h"
#include "results/console/helper_frames.h"

namespace kmatrix {

enum class StackKind {
    fault,     // what the report is about
    safe_side, // lockdep: who took the lock in an interrupt
    history,   // who allocated, freed, took locks before; other tasks
};

struct Stack {
    StackKind kind = StackKind::fault;
    std::vector<Frame> frames; // innermost first; instruction pointers of register dumps among them
};

// In the report's order. Frames marked '?' are left out of a stack that has others.
std::vector<Stack> find_stacks(std::span<const ConsoleLine> lines);

// True for a line that belongs to reports only: frames, registers, headings of stacks, held locks.
bool is_report_line(std::string_view text);

// The innermost function of the first fault stack that is no helper.
std::string innermost(std::span<const Stack> stacks, Fault fault);

// What a dispatcher had called on the CPU that the first busy fault stack shows.
std::string entry_point(std::span<const Stack> stacks);

} // namespace kmatrix

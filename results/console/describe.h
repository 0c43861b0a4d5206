// SPDX-License-Identifier: GPL-2.0-only
// What a report says: class, title, function at fault, stack.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "results/console/console_line.h"
#include "results/console/finding.h"
#include "results/console/rule.h"

namespace kmatrix {

// `heading` is the line that the rule matched, `offset` where in its text.
Finding describe_report(const Rule& rule, std::span<const ConsoleLine> lines, std::size_t heading,
                        std::size_t offset);

// Without what differs from boot to boot: addresses become ADDR, numbers that stand for themselves
// N, line numbers and offsets into functions vanish. Printable, one line.
std::string stable_text(std::string_view text);

} // namespace kmatrix

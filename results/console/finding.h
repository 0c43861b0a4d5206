// SPDX-License-Identifier: GPL-2.0-only
// A splat that a kernel's console shows, as a value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kmatrix {

struct Finding {
    // "panic", "oops", "bug", "warning", "sanitizer", "lockdep", "atomic", "hang", "leak",
    // "memory", "reboot"
    std::string klass;
    std::string title;    // the same for two boots of the same fault; printable, at most 120 bytes
    std::string function; // at fault, helper frames skipped; empty if unknown
    std::vector<std::string> stack; // functions, innermost first
    std::vector<std::string> lines; // of the console, printable, capped
    std::size_t line = 0;           // of the console, from 1, where it begins
};

} // namespace kmatrix

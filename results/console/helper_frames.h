// SPDX-License-Identifier: GPL-2.0-only
// Which functions of a stack a maintainer would not call at fault. The lists are ours, written from
// what these functions do in the kernel; names are as canonical_function() gives them.
#pragma once

#include <string_view>

namespace kmatrix {

// What kind of report the stack belongs to: the lists that count for it.
enum class Fault {
    access, // a bad access, a failed assertion: reporting code, primitives and the layers of core
            // APIs
    misuse, // an API's check of its caller's object: all of the API is skipped
    hung,   // a task that waits: the ways to wait are skipped too
    leak,   // memory nobody refers to: the constructors around an allocation are skipped too
    race,   // two accesses: primitives are where races are, only reporting code is skipped
};

bool is_helper(std::string_view function, Fault fault);

// Calls whatever was asked for, by pointer: a system call's entry, a work item, a timer, a
// protocol's handler. Where a CPU stood when a watchdog fired is chance; what a dispatcher had
// called is not.
bool is_dispatcher(std::string_view function);

// The watchdog's own way to the report: timer interrupts and the dumping of stacks.
bool is_watchdog(std::string_view function);
// Of these, those that are on no other way.
bool is_watchdog_check(std::string_view function);

// A CPU with nothing to do.
bool is_idle(std::string_view function);

// Waits for other CPUs: in a stall of this one, that is what it stalled in.
bool waits_for_cpus(std::string_view function);

// One name for functions of which a configuration, a boot's phase or chance picks one:
// synchronize_rcu_expedited is synchronize_rcu.
std::string_view common_name(std::string_view function);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/helper_frames.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "results/console/function_names.h"

namespace kmatrix {

namespace {

// A list of function_names.h, ready to be asked.
class Names {
  public:
    explicit Names(std::string_view words) {
        constexpr std::string_view blanks = " \n";
        for (auto begin = words.find_first_not_of(blanks); begin != std::string_view::npos;) {
            const auto end = std::min(words.find_first_of(blanks, begin), words.size());
            const auto word = words.substr(begin, end - begin);
            if (word.ends_with('*')) {
                beginnings_.push_back(word.substr(0, word.size() - 1));
            } else {
                whole_.insert(word);
            }
            begin = words.find_first_not_of(blanks, end);
        }
    }

    bool have(std::string_view function) const {
        return whole_.contains(function) ||
               std::any_of(beginnings_.begin(), beginnings_.end(),
                           [&](std::string_view begin) { return function.starts_with(begin); });
    }

  private:
    std::unordered_set<std::string_view> whole_;
    std::vector<std::string_view> beginnings_;
};

bool reports_or_checks(std::string_view function) {
    static const Names reporting(function_names::reporting);
    static const Names exceptions(function_names::exceptions);
    static const Names floors(function_names::floors);
    static const Names checking(function_names::checking);
    static const Names lock_checking(function_names::lock_checking);
    return reporting.have(function) || exceptions.have(function) || floors.have(function) ||
           checking.have(function) || lock_checking.have(function);
}

bool is_primitive(std::string_view function) {
    static const Names locks(function_names::locks);
    static const Names primitives(function_names::primitives);
    static const Names counts(function_names::counts);
    static const Names allocators(function_names::allocators);
    static const Names deferring(function_names::deferring);
    static const Names sleeping(function_names::sleeping);
    static const Names core(function_names::core);
    return locks.have(function) || primitives.have(function) || counts.have(function) ||
           allocators.have(function) || deferring.have(function) || sleeping.have(function) ||
           core.have(function);
}

} // namespace

bool is_helper(std::string_view function, Fault fault) {
    static const Names misused(function_names::misused);
    static const Names waiting(function_names::waiting);
    static const Names constructors(function_names::constructors);
    if (reports_or_checks(function)) {
        return true;
    }
    switch (fault) {
    case Fault::race:
        return false;
    case Fault::access:
        return is_primitive(function);
    case Fault::misuse:
        return is_primitive(function) || misused.have(function);
    case Fault::hung:
        return is_primitive(function) || waiting.have(function);
    case Fault::leak:
        // What is named after allocating made the object for somebody else, who lost it
        return is_primitive(function) || constructors.have(function) ||
               function.find("alloc") != std::string_view::npos;
    }
    return false;
}

bool is_dispatcher(std::string_view function) {
    static const Names dispatchers(function_names::dispatchers);
    return dispatchers.have(function);
}

bool is_watchdog(std::string_view function) {
    static const Names watchdogs(function_names::watchdogs);
    return watchdogs.have(function);
}

bool is_watchdog_check(std::string_view function) {
    static const Names checks(function_names::watchdog_checks);
    return checks.have(function);
}

bool is_idle(std::string_view function) {
    static const Names idles(function_names::idles);
    return idles.have(function);
}

std::string_view common_name(std::string_view function) {
    static const Names grace_periods(function_names::grace_periods);
    if (grace_periods.have(function)) {
        return "synchronize_rcu";
    }
    return waits_for_cpus(function) ? "smp_call_function" : function;
}

bool waits_for_cpus(std::string_view function) {
    static const Names cpu_waiters(function_names::cpu_waiters);
    return cpu_waiters.have(function);
}

} // namespace kmatrix

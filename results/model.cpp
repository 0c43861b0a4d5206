// SPDX-License-Identifier: GPL-2.0-only
#include "results/model.h"

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

struct Name {
    std::string_view operator()(const Completed&) const { return "completed"; }
    std::string_view operator()(const Panicked&) const { return "panicked"; }
    std::string_view operator()(const Reset&) const { return "reset"; }
    std::string_view operator()(const Hung&) const { return "hung"; }
    std::string_view operator()(const NeverBooted&) const { return "never booted"; }
    std::string_view operator()(const DeadlinePassed&) const { return "deadline passed"; }
    std::string_view operator()(const AgentLost&) const { return "agent lost"; }
};

struct Sentence {
    std::string operator()(const Completed&) const { return "completed"; }
    std::string operator()(const Panicked& end) const { return "panicked: " + end.title; }
    std::string operator()(const Reset&) const { return "reset without being asked to"; }
    std::string operator()(const Hung& end) const {
        return fmt::format("hung: silent for {}", duration_text(end.silent_s));
    }
    std::string operator()(const NeverBooted& end) const {
        return fmt::format("never booted: init did not start within {}",
                           duration_text(end.waited_s));
    }
    std::string operator()(const DeadlinePassed& end) const {
        return fmt::format("did not finish within {}", duration_text(end.waited_s));
    }
    std::string operator()(const AgentLost& end) const {
        return "stopped before its tests were done" +
               (end.last_record.empty() ? std::string() : "; last word: " + end.last_record);
    }
};

} // namespace

std::string_view to_string(Status status) {
    switch (status) {
    case Status::pass:
        return "pass";
    case Status::fail:
        return "fail";
    case Status::skip:
        return "skip";
    case Status::xfail:
        return "xfail";
    case Status::xpass:
        return "xpass";
    case Status::timeout:
        return "timeout";
    case Status::error:
        return "error";
    case Status::missing:
        return "missing";
    }
    return "unknown";
}

std::string_view name(const BootOutcome& outcome) {
    return std::visit(Name{}, outcome);
}
std::string sentence(const BootOutcome& outcome) {
    return std::visit(Sentence{}, outcome);
}

std::string_view to_string(EachPatch each) {
    switch (each) {
    case EachPatch::no:
        return "no";
    case EachPatch::build:
        return "build";
    case EachPatch::boot:
        return "boot";
    }
    return "unknown";
}

int RunResult::steps() const {
    const auto patches = static_cast<int>(info.series.patches.size());
    return info.each_patch == EachPatch::no || patches == 0 ? 0 : patches - 1;
}

std::vector<PlannedBoot> RunResult::planned_step_boots() const {
    std::vector<PlannedBoot> boots;
    if (info.each_patch != EachPatch::boot)
        return boots;
    for (int patches = 1; patches <= steps(); ++patches)
        for (PlannedBoot boot : plan(matrix).boots)
            if (boot.kernel == Kernel::patched && !boot.benchmark) {
                boot.id =
                    fmt::format("{}/patch-{}/functional", matrix.cells.at(boot.cell).id, patches);
                boot.patches = patches;
                boots.push_back(std::move(boot));
            }
    return boots;
}

std::vector<PlannedBoot> RunResult::planned_boots() const {
    std::vector<PlannedBoot> boots = plan(matrix).boots;
    boots.insert(boots.end(), info.reruns.begin(), info.reruns.end());
    return boots;
}

} // namespace kmatrix

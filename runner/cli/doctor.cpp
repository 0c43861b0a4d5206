// SPDX-License-Identifier: GPL-2.0-only
#include <fmt/format.h>

#include "runner/cli/verbs.h"
#include "runner/doctor.h"

namespace kmatrix {
namespace {

int examine() {
    int status = 0;
    for (const Diagnosis& diagnosis : diagnose()) {
        const char* word = diagnosis.state == Health::good       ? "ok     "
                           : diagnosis.state == Health::optional ? "note   "
                                                                 : "MISSING";
        fmt::print("{} {}\n", word, diagnosis.what);
        if (!diagnosis.remedy.empty())
            fmt::print("          {}\n", diagnosis.remedy);
        if (diagnosis.state == Health::missing)
            status = 3;
    }
    return status;
}

} // namespace

void add_doctor(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "doctor", "Say what is missing on this machine, and the command that mends it");
    add_examples(*verb, "  kmatrix doctor");
    verb->callback([&action] { action = examine; });
}

} // namespace kmatrix

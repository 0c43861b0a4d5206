// SPDX-License-Identifier: GPL-2.0-only
// The verbs of the command line, a file each. Each adds its subcommand and, where that is given,
// sets the action that does it and returns the exit status.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace kmatrix {

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_ci(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_rerun(CLI::App& app, Action& action);
void add_bisect(CLI::App& app, Action& action);
void add_shell(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_reply(CLI::App& app, Action& action);
void add_series(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_noise(CLI::App& app, Action& action);
void add_history(CLI::App& app, Action& action);
void add_prune(CLI::App& app, Action& action);
void add_watch(CLI::App& app, Action& action);
void add_queue(CLI::App& app, Action& action);
void add_ktap(CLI::App& app, Action& action);
void add_scan(CLI::App& app, Action& action);
void add_cache(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

// Prints it on stderr; the exit status that it means.
int fail(const Error& error);

// "--help" of a verb ends with these lines.
void add_examples(CLI::App& verb, const std::string& examples);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The options that every verb has which builds and boots.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "runner/run/request.h"

namespace kmatrix {

struct RunOptions {
    RunRequest request;
    std::string matrix, out, each_patch;
    double budget_s = 0;

    std::optional<std::chrono::seconds> budget() const;

    // Puts them into the request, once they are parsed.
    void complete();
};

// --only, --budget, --jobs and --clean-builds.
void add_work_options(CLI::App& verb, RunOptions& options);

// The same, and MATRIX, --tree, --base and --out. `options` must live until they are parsed.
void add_run_options(CLI::App& verb, RunOptions& options);

} // namespace kmatrix

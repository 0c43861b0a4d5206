// SPDX-License-Identifier: GPL-2.0-only
// The values of results/model.h as JSON. docs/results.md describes the format for other programs;
// `format_version` grows when a reader of the old form would be misled.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr int format_version = 1;

std::string to_json(const BuildResult& build);
std::string to_json(const BootResult& boot);
std::string to_json(const RunInfo& info);
std::string to_json(const Known& known);

// RunResult::infrastructure and ::not_run, and nothing else of it.
std::string incidents_to_json(const RunResult& run);
Result<void> incidents_from_json(std::string_view text, RunResult& run);

// Errors: not JSON, another format version, a field that has the wrong type (named).
Result<BuildResult> build_from_json(std::string_view text);
Result<BootResult> boot_from_json(std::string_view text);
Result<RunInfo> info_from_json(std::string_view text);
Result<Known> known_from_json(std::string_view text);

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// The parts of the page, in its order. Each is a whole <section>, or empty where it has nothing to
// say.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"
#include "results/reports/html_text.h"
#include "results/reports/pictures.h"

namespace kmatrix {

// What a reader should feel about something: it colours what a word says already.
enum class Mood { good, bad, unsure, none };
std::string_view to_string(Mood mood); // the CSS class

Mood mood_of(TestVerdict verdict);
Mood mood_of(const LatencyComparison& latency);

Html page_head(const std::string& title);         // up to </head>, with the style
std::string cell_anchor(const std::string& cell); // "cell-x86_64-default-8cpu-gcc"
std::string latency_anchor(const Comparison& comparison, const LatencyComparison& latency);
Html log_link(const std::filesystem::path& log, std::string_view words); // empty for no log
Html again(const std::string& command); // the command that reproduces; empty for none

Html matrix_section(const RunResult& run, const Comparison& comparison);
Html latency_section(const RunResult& run, const Comparison& comparison,
                     const std::vector<Drawing>& drawings);
Html steps_section(const RunResult& run, const Comparison& comparison);
Html failures_section(const RunResult& run, const Comparison& comparison);
Html tests_section(const RunResult& run, const Comparison& comparison);
Html builds_section(const Comparison& comparison);
Html boots_section(const RunResult& run, const Comparison& comparison);
Html about_section(const RunResult& run, const Comparison& comparison);

std::string page_style();

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// A comparison as Markdown for the page of a CI's job: the verdict, a table of the cells, what
// got worse. What guest and series said stands in blocks of HTML, which Markdown takes as they are
// (CommonMark 0.31, section 4.6), so that it is escaped as html_text.h does it, and can neither
// format the page nor put links on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// GitHub takes 1 MiB for each step
// (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
inline constexpr std::size_t summary_limit_bytes = 1u << 20;

struct MarkdownOptions {
    std::string change; // "pull request 12, from a fork"; may be empty
    std::string files;  // where the reports are: "kmatrix-results"
    // What is left out to keep within it is said.
    std::size_t limit_bytes = summary_limit_bytes;
};

std::string markdown_summary(const RunResult& run, const Comparison& comparison,
                             const MarkdownOptions& options);

// Of a run that never began, or came to no end.
std::string markdown_failure(std::string_view message, const MarkdownOptions& options);

} // namespace kmatrix

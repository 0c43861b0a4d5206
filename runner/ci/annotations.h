// SPDX-License-Identifier: GPL-2.0-only
// What a CI shows beside the lines of a change. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

struct Annotation {
    enum class Level { error, warning, notice };
    Level level = Level::notice;
    std::string file; // relative to the source; empty: of the job as a whole
    int line = 0;     // from 1; 0: unknown
    std::string title;
    std::string message;
};

// The verdict, then what got worse, each once; an error gates. Compile errors and new warnings of
// the patched kernel have their place in the source. `log` gives the text of a build's log, as its
// path stands in the results; empty if there is none.
std::vector<Annotation>
annotations_of(const RunResult& run, const Comparison& comparison,
               const std::function<std::string(const std::filesystem::path&)>& log);

// More than these of one level are not shown by GitHub, for each step
// (https://docs.github.com/en/rest/checks/runs and the runner's own limit).
inline constexpr std::size_t annotations_of_a_level = 10;

// As workflow commands of GitHub Actions, a line each:
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
// Nothing that others wrote can become a command: it is printable(), % and newlines are escaped as
// the runner has it, and in properties ':' and ',' too.
std::string workflow_commands(const std::vector<Annotation>& annotations);

// While a runner of GitHub's is told to stop, no line is a command until the token ends it; nobody
// else can know the token.
std::string stop_commands(std::string_view token);
std::string resume_commands(std::string_view token);

// Those with a file, as GitLab's code quality report:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
std::string code_quality_json(const std::vector<Annotation>& annotations);

} // namespace kmatrix

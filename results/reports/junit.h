// SPDX-License-Identifier: GPL-2.0-only
// A comparison as JUnit XML, for Jenkins, GitLab and GitHub's reporters: flat suites, one a cell,
// valid under Jenkins' junit-10.xsd (jenkinsci/xunit-plugin).
//
// A test case fails where the series made something worse that gates, so that a CI and kmatrix's
// exit status agree. What fails on both kernels is `skipped`, with that reason; work of ours that
// failed is an `error` in a suite of its own.
//
// A test that passes and fails on the patched kernel, no more often than chance has it, is passed,
// with a flakyFailure for each run that failed; one that fails has a rerunFailure for each further
// run that did (Maven Surefire, "Rerun failing tests"; Jenkins reads both).
#pragma once

#include <string>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

// Texts longer than this are cut in the middle, with a pointer to the log; to less, if the whole
// would be longer than what GitLab reads.
inline constexpr std::size_t junit_text_limit_bytes = 60'000;
inline constexpr std::size_t junit_limit_bytes = 30'000'000;

std::string junit_xml(const RunResult& run, const Comparison& comparison);

} // namespace kmatrix

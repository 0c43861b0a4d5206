// SPDX-License-Identifier: GPL-2.0-only
// What a CI says of the job that it runs: pure functions of its environment.
//
//   GitHub Actions  GITHUB_EVENT_NAME and the event's file (pull_request, pull_request_target,
//                   merge_group)
//                   https://docs.github.com/en/actions/reference/variables-reference
//   GitLab          CI_MERGE_REQUEST_*
//                   https://docs.gitlab.com/ci/variables/predefined_variables/
//   Jenkins         CHANGE_* (multibranch pipelines), ghprb* (GitHub pull request builder),
//                   gitlab* (GitLab plugin)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix {

using Environment = std::map<std::string, std::string>;
Environment this_environment();

enum class CiKind { none, github, gitlab, jenkins };
std::string_view to_string(CiKind kind); // "GitHub Actions", ...

// Where the job runs.
struct CiJob {
    CiKind kind = CiKind::none;
    std::string workspace;    // the directory of the checkout; empty: the current one
    std::string event_file;   // GitHub's JSON; may be empty
    std::string summary_file; // GitHub's, of this step; may be empty
};
CiJob find_job(const Environment& environment);

// What is to be tested.
struct Change {
    std::string base; // a revision that the change is to go on: a commit, or a branch's name
    std::string head;
    std::string what; // "pull request 12, from a fork"
    // A command that fetches both; empty where a whole clone has them.
    std::string fetch;
};

// `event`: the content of CiJob::event_file. Errors (the user's): the job is for no change: a push,
// a tag, a schedule, no CI at all; the message says what to do. A variable or a field of the event
// that should be there is not.
Result<Change> find_change(const Environment& environment, std::string_view event);

} // namespace kmatrix

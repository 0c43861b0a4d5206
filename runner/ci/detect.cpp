// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/detect.h"

#include <cctype>
#include <initializer_list>

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kmatrix {
namespace {

using Json = nlohmann::json;

constexpr std::string_view by_hand =
    "or say what to test: kmatrix ci MATRIX --base REVISION --head REVISION, or --series SERIES";

// Empty if it is not set.
std::string value(const Environment& environment, const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

std::string first_value(const Environment& environment, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (std::string found = value(environment, name); !found.empty())
            return found;
    return {};
}

tl::unexpected<Error> no_change(CiKind kind, const std::string& what, const std::string& remedy) {
    return user_error(fmt::format("{}: {}: there is no series to test; {}, {}", to_string(kind),
                                  printable(what), remedy, by_hand));
}

tl::unexpected<Error> missing(CiKind kind, const std::string& what) {
    return user_error(fmt::format("{}: {}; {}", to_string(kind), printable(what), by_hand));
}

// ---- GitHub ------------------------------------------------------------------------------------

// A member of nested objects: "pull_request/base/sha". Empty if it is no text.
std::string text_at(const Json& json, const std::string& path) {
    const Json* at = &json;
    for (const std::string& key : split(path, '/')) {
        if (!at->is_object() || !at->contains(key))
            return {};
        at = &(*at)[key];
    }
    return at->is_string() ? at->get<std::string>() : std::string();
}

Result<Change> pull_request(const Json& event) {
    Change change;
    change.base = text_at(event, "pull_request/base/sha");
    change.head = text_at(event, "pull_request/head/sha");
    const std::string from = text_at(event, "pull_request/head/repo/full_name");
    const std::string into = text_at(event, "pull_request/base/repo/full_name");
    const Json request = event.value("pull_request", Json::object());
    const Json number = request.is_object() ? request.value("number", Json()) : Json();
    const std::string id = number.is_number_integer() ? number.dump() : "";
    if (change.base.empty() || change.head.empty() || id.empty())
        return missing(CiKind::github,
                       "the event's file ($GITHUB_EVENT_PATH) names no number, base "
                       "and head of the pull request");
    // The fork of a pull request may be gone, and then there is no `repo`.
    change.what = fmt::format("pull request {}{}", id, from == into ? "" : ", from a fork");
    change.fetch = fmt::format("git fetch origin pull/{}/head {}", id, change.base);
    return change;
}

Result<Change> find_on_github(const Environment& environment, std::string_view event_text) {
    const std::string name = value(environment, "GITHUB_EVENT_NAME");
    if (name != "pull_request" && name != "pull_request_target" && name != "merge_group") {
        const std::string ref = value(environment, "GITHUB_REF");
        return no_change(CiKind::github,
                         ref.starts_with("refs/tags/")
                             ? fmt::format("a pipeline for the tag {}", ref.substr(10))
                             : fmt::format("the event is {}", name.empty() ? "not named" : name),
                         "start the workflow `on: pull_request`");
    }
    const Json event = Json::parse(event_text, nullptr, false);
    if (!event.is_object())
        return missing(CiKind::github,
                       "the event's file ($GITHUB_EVENT_PATH) cannot be read as JSON");
    if (name != "merge_group")
        return pull_request(event);
    Change change;
    change.base = text_at(event, "merge_group/base_sha");
    change.head = text_at(event, "merge_group/head_sha");
    if (change.base.empty() || change.head.empty())
        return missing(CiKind::github,
                       "the event's file ($GITHUB_EVENT_PATH) names no base_sha and "
                       "head_sha of the merge group");
    change.what = "a merge group";
    change.fetch = fmt::format("git fetch origin {} {}", change.base, change.head);
    return change;
}

// ---- GitLab ------------------------------------------------------------------------------------

Result<Change> find_on_gitlab(const Environment& environment) {
    const std::string id = value(environment, "CI_MERGE_REQUEST_IID");
    if (id.empty()) {
        const std::string tag = value(environment, "CI_COMMIT_TAG");
        const std::string source = value(environment, "CI_PIPELINE_SOURCE");
        return no_change(
            CiKind::gitlab,
            !tag.empty() ? fmt::format("a pipeline for the tag {}", tag)
                         : fmt::format("a pipeline that {} started, for no merge request",
                                       source.empty() ? "something" : source),
            "run the job in merge request pipelines: rules: - if: $CI_PIPELINE_SOURCE == "
            "\"merge_request_event\"");
    }
    Change change;
    change.base = value(environment, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
    // Set only where CI_COMMIT_SHA is a merge that GitLab made of both branches.
    change.head = first_value(environment, {"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_COMMIT_SHA"});
    if (change.base.empty() || change.head.empty())
        return missing(CiKind::gitlab,
                       "$CI_MERGE_REQUEST_DIFF_BASE_SHA or $CI_COMMIT_SHA is not set "
                       "(GitLab sets both since 13.7)");
    const bool is_fork = value(environment, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID") !=
                         value(environment, "CI_MERGE_REQUEST_PROJECT_ID");
    change.what = fmt::format("merge request {}{}", id, is_fork ? ", from a fork" : "");
    // In a pipeline of the fork, origin is the fork; the base is in the branch's history anyway.
    change.fetch = fmt::format("git fetch origin {} {}", change.base, change.head);
    return change;
}

// ---- Jenkins -----------------------------------------------------------------------------------

// A branch as the checkout of a Jenkins job has it.
std::string remote_branch(const std::string& branch) {
    return "refs/remotes/origin/" + branch;
}

Change on_branch(const std::string& branch, std::string head, std::string what) {
    Change change;
    change.base = remote_branch(branch);
    change.head = head.empty() ? "HEAD" : std::move(head);
    change.what = std::move(what);
    change.fetch = fmt::format("git fetch origin '+refs/heads/{}:{}'", branch, change.base);
    return change;
}

Result<Change> find_on_jenkins(const Environment& environment) {
    const std::string git_commit = value(environment, "GIT_COMMIT");
    if (const std::string id = value(environment, "CHANGE_ID"); !id.empty()) {
        const std::string target = value(environment, "CHANGE_TARGET");
        if (target.empty())
            return missing(CiKind::jenkins, "$CHANGE_ID is set and $CHANGE_TARGET is not");
        const bool is_fork = !value(environment, "CHANGE_FORK").empty();
        return on_branch(target, git_commit,
                         fmt::format("change {}{}", id, is_fork ? ", from a fork" : ""));
    }
    if (const std::string id = value(environment, "ghprbPullId"); !id.empty()) {
        const std::string target = value(environment, "ghprbTargetBranch");
        if (target.empty())
            return missing(CiKind::jenkins, "$ghprbPullId is set and $ghprbTargetBranch is not");
        return on_branch(target, value(environment, "ghprbActualCommit"), "pull request " + id);
    }
    if (const std::string target = value(environment, "gitlabTargetBranch");
        !target.empty() && !value(environment, "gitlabMergeRequestIid").empty())
        return on_branch(target, value(environment, "gitlabMergeRequestLastCommit"),
                         "merge request " + value(environment, "gitlabMergeRequestIid"));
    const std::string tag = value(environment, "TAG_NAME");
    const std::string branch = first_value(environment, {"BRANCH_NAME", "GIT_BRANCH"});
    return no_change(CiKind::jenkins,
                     !tag.empty()      ? "a build of the tag " + tag
                     : !branch.empty() ? "a build of the branch " + branch
                                       : "a build for no change",
                     "use a multibranch pipeline that discovers pull or merge requests");
}

// ---- all ---------------------------------------------------------------------------------------

// Revisions go to git as arguments, and into a command for people to paste.
bool is_plain_revision(const std::string& text) {
    return !text.empty() && text.front() != '-' && text.find("..") == std::string::npos &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) ||
                      std::string_view("._/+@#=%,-").find(static_cast<char>(c)) !=
                          std::string_view::npos;
           });
}

Result<Change> checked(CiKind kind, Change change) {
    for (const std::string& revision : {change.base, change.head})
        if (!is_plain_revision(revision))
            return missing(
                kind, fmt::format("\"{}\" is no revision that kmatrix takes from a CI", revision));
    change.what = printable(change.what);
    return change;
}

} // namespace

Environment this_environment() {
    Environment environment;
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos)
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

std::string_view to_string(CiKind kind) {
    switch (kind) {
    case CiKind::none:
        return "no CI";
    case CiKind::github:
        return "GitHub Actions";
    case CiKind::gitlab:
        return "GitLab";
    case CiKind::jenkins:
        return "Jenkins";
    }
    return "unknown";
}

CiJob find_job(const Environment& environment) {
    CiJob job;
    if (value(environment, "GITHUB_ACTIONS") == "true") {
        job.kind = CiKind::github;
        job.workspace = value(environment, "GITHUB_WORKSPACE");
        job.event_file = value(environment, "GITHUB_EVENT_PATH");
        job.summary_file = value(environment, "GITHUB_STEP_SUMMARY");
    } else if (value(environment, "GITLAB_CI") == "true") {
        job.kind = CiKind::gitlab;
        job.workspace = value(environment, "CI_PROJECT_DIR");
    } else if (!first_value(environment, {"JENKINS_URL", "JENKINS_HOME"}).empty()) {
        job.kind = CiKind::jenkins;
        job.workspace = value(environment, "WORKSPACE");
    }
    return job;
}

Result<Change> find_change(const Environment& environment, std::string_view event) {
    const CiKind kind = find_job(environment).kind;
    auto found = [&]() -> Result<Change> {
        switch (kind) {
        case CiKind::github:
            return find_on_github(environment, event);
        case CiKind::gitlab:
            return find_on_gitlab(environment);
        case CiKind::jenkins:
            return find_on_jenkins(environment);
        case CiKind::none:
            break;
        }
        return user_error(fmt::format("none of the CIs that kmatrix knows (GitHub Actions, GitLab, "
                                      "Jenkins) started it; {}",
                                      std::string(by_hand).substr(3)));
    }();
    if (!found)
        return found;
    return checked(kind, *found);
}

} // namespace kmatrix

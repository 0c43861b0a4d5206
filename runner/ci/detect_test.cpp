// SPDX-License-Identifier: GPL-2.0-only
// Environments as the CIs' documentation describes them, cut down to what could be mistaken.
#include "runner/ci/detect.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string base_id(40, 'b');
const std::string head_id(40, '4');
const std::string merge_id(40, 'e');

Environment with(Environment environment, const Environment& more) {
    for (const auto& [name, value] : more)
        environment[name] = value;
    return environment;
}

std::string error_of(const Environment& environment, std::string_view event = "") {
    const auto change = find_change(environment, event);
    if (change)
        return "found " + change->what;
    EXPECT_EQ(change.error().blame, Blame::user);
    return change.error().message;
}

// ---- GitHub

Environment github(const std::string& event, const std::string& ref) {
    return {{"CI", "true"},
            {"GITHUB_ACTIONS", "true"},
            {"GITHUB_EVENT_NAME", event},
            {"GITHUB_EVENT_PATH", "/home/runner/work/_temp/_github_workflow/event.json"},
            {"GITHUB_REF", ref},
            {"GITHUB_SHA", merge_id},
            {"GITHUB_BASE_REF", "main"},
            {"GITHUB_HEAD_REF", "topic"},
            {"GITHUB_STEP_SUMMARY", "/home/runner/work/_temp/_runner_file_commands/step_summary_1"},
            {"GITHUB_WORKSPACE", "/home/runner/work/linux/linux"}};
}

std::string pull_request(const std::string& repository) {
    return R"({"action": "synchronize", "number": 12, "pull_request": {"number": 12,
        "base": {"ref": "main", "sha": ")" +
           base_id + R"(", "repo": {"full_name": "mm/linux"}},
        "head": {"ref": "topic", "sha": ")" +
           head_id + R"(", "repo": )" + repository + "}}}";
}

TEST(Detect, APullRequestOfGitHub) {
    const Environment environment = github("pull_request", "refs/pull/12/merge");
    const CiJob job = find_job(environment);
    EXPECT_EQ(job.kind, CiKind::github);
    EXPECT_EQ(job.workspace, "/home/runner/work/linux/linux");
    EXPECT_THAT(job.event_file, HasSubstr("event.json"));
    EXPECT_THAT(job.summary_file, HasSubstr("step_summary_1"));
    const Change change =
        find_change(environment, pull_request(R"({"full_name": "mm/linux"})")).value();
    EXPECT_EQ(change.base, base_id);
    EXPECT_EQ(change.head, head_id); // and not GITHUB_SHA, which is a merge
    EXPECT_EQ(change.what, "pull request 12");
    EXPECT_EQ(change.fetch, "git fetch origin pull/12/head " + base_id);
}

TEST(Detect, APullRequestOfGitHubFromAForkOrFromOneThatIsGone) {
    for (const char* repository : {R"({"full_name": "a-developer/linux"})", "null"}) {
        for (const char* event : {"pull_request", "pull_request_target"}) {
            const Change change =
                find_change(github(event, "refs/pull/12/merge"), pull_request(repository)).value();
            EXPECT_EQ(change.head, head_id);
            EXPECT_EQ(change.what, "pull request 12, from a fork");
        }
    }
}

TEST(Detect, AMergeGroupOfGitHub) {
    const Change change =
        find_change(github("merge_group", "refs/heads/gh-readonly-queue/main/pr-12"),
                    R"({"merge_group": {"base_sha": ")" + base_id + R"(", "head_sha": ")" +
                        head_id + R"("}})")
            .value();
    EXPECT_EQ(change.base, base_id);
    EXPECT_EQ(change.head, head_id);
}

TEST(Detect, OtherEventsOfGitHubAreNoSeries) {
    EXPECT_THAT(error_of(github("push", "refs/heads/main"), "{}"),
                AllOf(HasSubstr("the event is push"), HasSubstr("`on: pull_request`"),
                      HasSubstr("--base REVISION --head REVISION")));
    EXPECT_THAT(error_of(github("push", "refs/tags/v6.12"), "{}"), HasSubstr("the tag v6.12"));
    EXPECT_THAT(error_of(github("schedule", "refs/heads/main"), "{}"), HasSubstr("schedule"));
    EXPECT_THAT(error_of({{"GITHUB_ACTIONS", "true"}}), HasSubstr("not named"));
}

TEST(Detect, AnEventOfGitHubThatIsNotAsItShouldBeIsAnError) {
    const Environment environment = github("pull_request", "refs/pull/12/merge");
    for (const char* event :
         {"", "no JSON", "[]", "{}", R"({"pull_request": 7})", R"({"pull_request": null})",
          R"({"pull_request": {"number": "12", "base": {"sha": 7}, "head": []}})",
          R"({"pull_request": {"number": 12, "base": {"sha": "b"}}})"})
        EXPECT_THAT(error_of(environment, event), HasSubstr("$GITHUB_EVENT_PATH")) << event;
    EXPECT_THAT(error_of(github("merge_group", ""), "{}"), HasSubstr("merge group"));
}

// ---- GitLab

const Environment merge_request = {{"GITLAB_CI", "true"},
                                   {"CI_PIPELINE_SOURCE", "merge_request_event"},
                                   {"CI_MERGE_REQUEST_EVENT_TYPE", "detached"},
                                   {"CI_MERGE_REQUEST_IID", "7"},
                                   {"CI_MERGE_REQUEST_DIFF_BASE_SHA", base_id},
                                   {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"},
                                   {"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", ""},
                                   {"CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "1"},
                                   {"CI_MERGE_REQUEST_PROJECT_ID", "1"},
                                   {"CI_COMMIT_SHA", head_id},
                                   {"CI_COMMIT_BEFORE_SHA", std::string(40, '0')},
                                   {"CI_PROJECT_DIR", "/builds/mm/linux"}};

TEST(Detect, AMergeRequestOfGitLab) {
    const CiJob job = find_job(merge_request);
    EXPECT_EQ(job.kind, CiKind::gitlab);
    EXPECT_EQ(job.workspace, "/builds/mm/linux");
    EXPECT_THAT(job.summary_file, IsEmpty());
    const Change change = find_change(merge_request, "").value();
    EXPECT_EQ(change.base, base_id);
    EXPECT_EQ(change.head, head_id);
    EXPECT_EQ(change.what, "merge request 7");
}

TEST(Detect, OfAMergedResultTheHeadIsTheSourceBranchs) {
    const Change change =
        find_change(with(merge_request, {{"CI_MERGE_REQUEST_EVENT_TYPE", "merged_result"},
                                         {"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", head_id},
                                         {"CI_COMMIT_SHA", merge_id}}),
                    "")
            .value();
    EXPECT_EQ(change.head, head_id);
}

TEST(Detect, AMergeRequestOfGitLabFromAFork) {
    EXPECT_EQ(
        find_change(with(merge_request, {{"CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "22"}}), "")->what,
        "merge request 7, from a fork");
}

TEST(Detect, OtherPipelinesOfGitLabAreNoSeries) {
    const Environment push = {{"GITLAB_CI", "true"},
                              {"CI_PIPELINE_SOURCE", "push"},
                              {"CI_COMMIT_SHA", head_id},
                              {"CI_COMMIT_BEFORE_SHA", base_id}};
    EXPECT_THAT(error_of(push), AllOf(HasSubstr("that push started, for no merge request"),
                                      HasSubstr("merge_request_event")));
    EXPECT_THAT(error_of(with(push, {{"CI_COMMIT_TAG", "v6.12"}})), HasSubstr("the tag v6.12"));
    EXPECT_THAT(error_of(with(merge_request, {{"CI_MERGE_REQUEST_DIFF_BASE_SHA", ""}})),
                HasSubstr("$CI_MERGE_REQUEST_DIFF_BASE_SHA"));
}

// ---- Jenkins

const Environment jenkins = {{"JENKINS_URL", "https://ci.example.org/"},
                             {"BUILD_NUMBER", "3"},
                             {"WORKSPACE", "/var/lib/jenkins/workspace/linux"},
                             {"GIT_COMMIT", head_id}};

TEST(Detect, AChangeOfAMultibranchPipeline) {
    const Environment environment = with(jenkins, {{"BRANCH_NAME", "PR-12"},
                                                   {"CHANGE_ID", "12"},
                                                   {"CHANGE_TARGET", "mm-unstable"},
                                                   {"CHANGE_BRANCH", "topic"}});
    EXPECT_EQ(find_job(environment).kind, CiKind::jenkins);
    EXPECT_EQ(find_job(environment).workspace, "/var/lib/jenkins/workspace/linux");
    const Change change = find_change(environment, "").value();
    EXPECT_EQ(change.base, "refs/remotes/origin/mm-unstable");
    EXPECT_EQ(change.head, head_id);
    EXPECT_EQ(change.what, "change 12");
    EXPECT_EQ(change.fetch, "git fetch origin "
                            "'+refs/heads/mm-unstable:refs/remotes/origin/mm-unstable'");
    EXPECT_EQ(find_change(with(environment, {{"CHANGE_FORK", "a-developer"}}), "")->what,
              "change 12, from a fork");
    EXPECT_EQ(find_change(with(environment, {{"GIT_COMMIT", ""}}), "")->head, "HEAD");
    EXPECT_THAT(error_of(with(environment, {{"CHANGE_TARGET", ""}})), HasSubstr("$CHANGE_TARGET"));
}

TEST(Detect, TheGitHubPullRequestBuilderOfJenkins) {
    const Environment environment = with(jenkins, {{"ghprbPullId", "12"},
                                                   {"ghprbTargetBranch", "main"},
                                                   {"ghprbActualCommit", head_id},
                                                   {"GIT_COMMIT", merge_id}});
    const Change change = find_change(environment, "").value();
    EXPECT_EQ(change.base, "refs/remotes/origin/main");
    EXPECT_EQ(change.head, head_id);
    EXPECT_EQ(change.what, "pull request 12");
    EXPECT_THAT(error_of(with(environment, {{"ghprbTargetBranch", ""}})),
                HasSubstr("$ghprbTargetBranch"));
}

TEST(Detect, TheGitLabPluginOfJenkins) {
    const Environment environment = with(jenkins, {{"gitlabMergeRequestIid", "7"},
                                                   {"gitlabTargetBranch", "main"},
                                                   {"gitlabMergeRequestLastCommit", head_id},
                                                   {"gitlabActionType", "MERGE"},
                                                   {"GIT_COMMIT", merge_id}});
    const Change change = find_change(environment, "").value();
    EXPECT_EQ(change.head, head_id);
    EXPECT_EQ(change.what, "merge request 7");
    // A push sets the target, too.
    EXPECT_THAT(error_of(with(environment, {{"gitlabMergeRequestIid", ""}})),
                HasSubstr("a build for no change"));
}

TEST(Detect, OtherBuildsOfJenkinsAreNoSeries) {
    EXPECT_THAT(error_of(with(jenkins, {{"BRANCH_NAME", "main"}})),
                AllOf(HasSubstr("a build of the branch main"), HasSubstr("multibranch")));
    EXPECT_THAT(error_of(with(jenkins, {{"TAG_NAME", "v6.12"}})), HasSubstr("the tag v6.12"));
}

// ---- all

TEST(Detect, NoCiAtAll) {
    EXPECT_EQ(find_job({{"CI", "true"}}).kind, CiKind::none);
    EXPECT_THAT(error_of({}),
                AllOf(HasSubstr("GitHub Actions, GitLab, Jenkins"), HasSubstr("--series SERIES")));
}

TEST(Detect, RevisionsThatGitWouldTakeForSomethingElseAreRefused) {
    for (const char* text : {"--upload-pack=x", "a..b", "a b", "$(id)", "a;b", "it's"}) {
        EXPECT_THAT(error_of(with(merge_request, {{"CI_MERGE_REQUEST_DIFF_BASE_SHA", text}})),
                    HasSubstr("no revision that kmatrix takes"))
            << text;
        EXPECT_THAT(error_of(with(merge_request, {{"CI_COMMIT_SHA", text}})),
                    HasSubstr("no revision that kmatrix takes"))
            << text;
    }
    EXPECT_THAT(error_of(with(jenkins, {{"CHANGE_ID", "1"}, {"CHANGE_TARGET", "a'; id; '"}})),
                HasSubstr("no revision that kmatrix takes"));
}

} // namespace
} // namespace kmatrix

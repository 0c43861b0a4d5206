// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/ci.h"

#include <cstdio>
#include <fstream>
#include <optional>
#include <random>

#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "results/reports/markdown.h"
#include "results/store.h"
#include "runner/ci/annotations.h"
#include "runner/ci/merge.h"
#include "runner/ci/range.h"
#include "runner/cli/verbs.h"
#include "runner/wait.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

std::string random_token() {
    std::random_device random;
    std::string token = "kmatrix-";
    for (int i = 0; i < 4; ++i)
        token += fmt::format("{:08x}", random());
    return token;
}

// While it lives nothing that is printed is a command to GitHub's runner. Standard error goes where
// standard output goes: the runner reads two pipes in no order, and a late line would come after
// the end.
class Stopped {
  public:
    explicit Stopped(bool on) {
        if (!on)
            return;
        token_ = random_token();
        std::fflush(stderr);
        fmt::print("{}", stop_commands(token_));
        std::fflush(stdout);
        error_ = ::dup(STDERR_FILENO);
        ::dup2(STDOUT_FILENO, STDERR_FILENO);
    }
    Stopped(const Stopped&) = delete;
    Stopped& operator=(const Stopped&) = delete;
    Stopped(Stopped&&) = delete;
    Stopped& operator=(Stopped&&) = delete;
    ~Stopped() {
        if (token_.empty())
            return;
        std::fflush(stdout);
        std::fflush(stderr);
        // What was printed last may have had no newline.
        std::fputs(("\n" + resume_commands(token_)).c_str(), stdout);
        std::fflush(stdout);
        if (error_ >= 0) {
            ::dup2(error_, STDERR_FILENO);
            ::close(error_);
        }
    }

  private:
    std::string token_; // empty: not on
    int error_ = -1;
};

void say(const std::string& line) {
    fmt::print(stderr, "kmatrix: {}\n", printable(line));
}

asio::awaitable<Result<CommitRange>> range_in(std::string tree, Change change, CiKind kind) {
    auto repository = co_await Repository::open(cache_directory(), tree);
    if (!repository)
        co_return tl::unexpected(std::move(repository.error()));
    co_return co_await find_range(*repository, change, kind);
}

// What the options say, or else the CI.
Result<Change> change_of(const CiRequest& request, const Environment& environment,
                         const CiJob& job) {
    if (!request.base.empty())
        return Change{request.base, request.head.empty() ? "HEAD" : request.head, "", ""};
    std::string event;
    if (!job.event_file.empty()) {
        auto text = read_file(job.event_file);
        if (!text)
            return tl::unexpected(std::move(text.error()).in("the event of GitHub"));
        event = std::move(*text);
    }
    return find_change(environment, event);
}

// Fills the series in.
Result<void> find_series(CiRequest& request, const Environment& environment, const CiJob& job,
                         MarkdownOptions& options) {
    RunRequest& run = request.run;
    if (run.tree.empty())
        run.tree = job.workspace.empty() ? "." : job.workspace;
    if (!run.series.empty()) {
        run.base = request.base;
        return {};
    }
    auto change = change_of(request, environment, job);
    if (!change)
        return tl::unexpected(std::move(change.error()));
    options.change = change->what;
    asio::io_context context(1);
    auto range = wait_for(context, range_in(run.tree, *change, job.kind));
    if (!range)
        return tl::unexpected(std::move(range.error()));
    run.series = range->text();
    say(fmt::format("{}: {} to {} of {}", change->what.empty() ? "the change" : change->what,
                    range->base.substr(0, 12), range->head.substr(0, 12), run.tree));
    for (const std::string& note : range->notes)
        say(note);
    return {};
}

fs::path default_output(const CiJob& job, const Shard& shard) {
    const std::string name =
        shard.of == 0 ? "kmatrix-results" : fmt::format("kmatrix-shard-{}", shard.number);
    return job.workspace.empty() ? fs::path(name) : fs::path(job.workspace) / name;
}

void warn_unless(const Result<void>& done) {
    if (!done)
        say("warning: " + done.error().message);
}

// Into GitHub's file for this step, as far as there is room.
void append_summary(const CiJob& job, const std::function<std::string(std::size_t)>& summary) {
    if (job.summary_file.empty())
        return;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(job.summary_file, error);
    const std::size_t used = error ? 0 : static_cast<std::size_t>(size);
    const std::string text =
        summary(used < summary_limit_bytes ? summary_limit_bytes - used - 1 : 0);
    std::ofstream file(job.summary_file, std::ios::app);
    file << "\n" << text;
    if (!file.flush())
        say("warning: " + job.summary_file + ": the summary cannot be written there");
}

int report_failure(const Error& error, const CiJob& job, const fs::path& output,
                   MarkdownOptions options, std::vector<Annotation>& annotations) {
    const auto page = [&](std::size_t limit) {
        options.limit_bytes = limit;
        return markdown_failure(error.text(), options);
    };
    append_summary(job, page);
    // There may be that of a run which is none of this job's.
    std::error_code ignored;
    if (!fs::exists(output / "summary.md", ignored))
        warn_unless(write_file(output / "summary.md", page(summary_limit_bytes)));
    annotations = {{Annotation::Level::error, "", 0, "kmatrix", error.text()}};
    return fail(error);
}

int report(const RunEnd& end, const CiJob& job, MarkdownOptions options,
           std::vector<Annotation>& annotations) {
    const auto run = load_run(end.directory);
    if (!run)
        return report_failure(run.error(), job, end.directory, options, annotations);
    const auto page = [&](std::size_t limit) {
        options.limit_bytes = limit;
        return markdown_summary(*run, end.comparison, options);
    };
    append_summary(job, page);
    warn_unless(write_file(end.directory / "summary.md", page(summary_limit_bytes)));
    annotations = annotations_of(*run, end.comparison, [&](const fs::path& log) {
        return read_file(end.directory / log).value_or("");
    });
    if (job.kind == CiKind::gitlab)
        warn_unless(write_file(end.directory / "gl-code-quality-report.json",
                               code_quality_json(annotations)));
    fmt::print("{}", end.text);
    return exit_status(end);
}

Result<RunEnd> done(CiRequest& request, const Environment& environment, const CiJob& job,
                    const Perform& run, MarkdownOptions& options) {
    if (!request.shards.empty())
        return merge_runs(request.shards, request.run.directory);
    if (auto found = find_series(request, environment, job, options); !found)
        return tl::unexpected(std::move(found.error()));
    return run(request.run);
}

} // namespace

int ci(CiRequest request, const Environment& environment, const Perform& run) {
    const CiJob job = find_job(environment);
    if (request.run.directory.empty())
        request.run.directory = default_output(job, request.run.shard);
    const fs::path output = request.run.directory;
    std::vector<Annotation> annotations;
    int status = 0;
    {
        const Stopped stopped(job.kind == CiKind::github);
        MarkdownOptions options;
        options.files = output.string();
        const auto end = done(request, environment, job, run, options);
        status = end ? report(*end, job, options, annotations)
                     : report_failure(end.error(), job, output, options, annotations);
    }
    if (job.kind == CiKind::github) {
        fmt::print("{}", workflow_commands(annotations));
        std::fflush(stdout);
    }
    return status;
}

} // namespace kmatrix

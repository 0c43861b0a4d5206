// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/version_diff.h"

#include <fmt/format.h>

#include "base/text.h"
#include "runner/run/prepare.h"
#include "runner/source/range_diff.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

std::string version_name(const RunInfo& info) {
    return fmt::format("v{} (run {})", info.series.version, info.id);
}

// The series as it was tested, as commits. An Error says why there is none.
asio::awaitable<Result<CommittedSeries>>
tested_commits(const Cache& cache, const Repository& repository, TestedSeries tested) {
    const RunInfo& info = tested.info;
    std::error_code error;
    const std::string source = series_of_run(tested.directory, info);
    // Not from stdin, nor over the network.
    if (!fs::exists(source, error) && info.series.source.find("..") == std::string::npos)
        co_return user_error(fmt::format("the patches of {} are not kept", version_name(info)));
    auto base = co_await repository.commit(info.baseline_commit);
    if (!base)
        co_return user_error(fmt::format("{} was applied to {}, which is not in {}",
                                         version_name(info), info.baseline_commit,
                                         repository.tree().string()));
    auto series = co_await read_series(source, repository);
    if (!series)
        co_return user_error(fmt::format("the patches of {} cannot be read any more: {}",
                                         version_name(info), first_line(series.error().message)));
    const std::size_t tested_patches = info.series.patches.size();
    if (series->patches.size() > tested_patches)
        series->patches.resize(tested_patches);
    auto commits = co_await commit_series(cache, repository, info.baseline_commit, *series);
    if (!commits)
        co_return user_error(fmt::format("the patches of {} cannot be applied again: {}",
                                         version_name(info), first_line(commits.error().message)));
    if (commits->tree != info.patched_tree)
        co_return user_error(fmt::format("the patches of {} are not kept, and {} has others now",
                                         version_name(info), source));
    co_return commits;
}

} // namespace

asio::awaitable<VersionDiff> version_diff(const Cache& cache, TestedSeries from, TestedSeries to) {
    VersionDiff diff;
    const auto repository = co_await Repository::open(cache.root(), to.info.tree);
    if (!repository) {
        diff.why_not = first_line(repository.error().message);
        co_return diff;
    }
    if (from.info.noise || to.info.noise) {
        diff.why_not = "an A/A run has no patches";
        co_return diff;
    }
    const auto earlier = co_await tested_commits(cache, *repository, from);
    if (!earlier) {
        diff.why_not = earlier.error().message;
        co_return diff;
    }
    const auto later = co_await tested_commits(cache, *repository, to);
    if (!later) {
        diff.why_not = later.error().message;
        co_return diff;
    }
    if (earlier->base != later->base)
        diff.notes.push_back(fmt::format(
            "v{} was applied to {} ({}), v{} to {} ({}): only the patches are compared",
            from.info.series.version, from.info.baseline_describe, earlier->base.substr(0, 12),
            to.info.series.version, to.info.baseline_describe, later->base.substr(0, 12)));
    auto text = co_await range_diff(*repository, *earlier, *later);
    if (text)
        diff.text = std::move(*text);
    else
        diff.why_not = first_line(text.error().message);
    co_return diff;
}

} // namespace kmatrix

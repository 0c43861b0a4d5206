// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/prepare.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "matrix/filter.h"
#include "matrix/read.h"
#include "runner/host.h"
#include "runner/installation.h"
#include "runner/run/part.h"
#include "runner/source/base.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// To resume, the run itself says what it was asked for.
Result<RunRequest> completed(RunRequest request) {
    if (!request.resume)
        return request;
    auto run = load_run(request.directory);
    if (!run)
        return tl::unexpected(std::move(run.error()));
    ask_as(request, request.directory, run->info);
    return request;
}

// They are kept with the run: stdin is gone then, and files and branches become the next version.
Result<void> keep_mails(const RunRequest& request, const Series& series) {
    if (request.resume || series.mbox.empty())
        return {};
    return write_file(request.directory / kept_series, series.mbox);
}

// The copy that a run keeps, where there is a run: not a file that was edited since.
std::filesystem::path text_of_matrix(const RunRequest& request) {
    return request.matrix_copy.empty() ? request.matrix_file : request.matrix_copy;
}

Result<Matrix> matrix_of(const RunRequest& request) {
    auto text = read_file(text_of_matrix(request));
    if (!text) {
        text.error().blame = Blame::user;
        return tl::unexpected(std::move(text.error()));
    }
    auto matrix = parse_matrix(*text, request.matrix_file, kconfigs_directory());
    if (!matrix)
        return matrix;
    return chosen(std::move(*matrix), {request.only, request.tests, request.noise, request.shard});
}

// Only the first `patches` of a series; 0: all.
Result<void> keep_first(Series& series, int patches) {
    if (patches == 0)
        return {};
    const auto all = series.patches.size();
    if (static_cast<std::size_t>(patches) > all)
        return user_error(fmt::format("{}: the first {} patches were asked for, it has {}",
                                      series.source, patches, all));
    series.patches.resize(static_cast<std::size_t>(patches));
    if (series.patches.size() < all)
        series.notes.push_back(fmt::format("only the first {} of its {} patches", patches, all));
    return {};
}

asio::awaitable<Result<Series>> series_of(const RunRequest& request, const Repository& repository) {
    if (!request.noise)
        co_return co_await read_series(request.series, repository);
    Series none;
    none.subject = "no series: an A/A run";
    co_return none;
}

// The patched ones last; before them those of every patch, where they are asked for.
asio::awaitable<Result<std::vector<Sources>>> sources_of(const Cache& cache,
                                                         const Repository& repository,
                                                         const Base& base, const Series& series,
                                                         EachPatch each) {
    if (each != EachPatch::no)
        co_return co_await apply_each(cache, repository, base.commit, series);
    auto sources = co_await apply_series(cache, repository, base.commit, series);
    if (!sources)
        co_return tl::unexpected(std::move(sources.error()));
    std::vector<Sources> all;
    all.push_back(std::move(*sources));
    co_return all;
}

// What the reader must know of where the patches were put.
std::vector<std::string> base_notes(const Series& series, const Sources& sources,
                                    const Base& base) {
    std::vector<std::string> notes = series.notes;
    notes.insert(notes.end(), sources.repository.notes().begin(), sources.repository.notes().end());
    notes.push_back(base.how);
    if (series.patches.empty()) // an A/A run
        return notes;
    if (!base.tried.empty())
        notes.push_back("tried for a baseline before that: " + join(base.tried, "; "));
    if (sources.notes.empty())
        notes.emplace_back("every patch applied as it is, without a merge");
    notes.insert(notes.end(), sources.notes.begin(), sources.notes.end());
    if (!series.base_commit.empty() && series.base_commit != sources.baseline_commit)
        notes.push_back(fmt::format("the series says that it was made on {}, and was applied to {}",
                                    series.base_commit, sources.baseline_commit));
    return notes;
}

// Refused with what was tried.
Error not_applied(Error error, const Base& base) {
    if (error.blame != Blame::user)
        return error;
    error.message += "; " + base.how;
    if (!base.tried.empty())
        error.message += " (tried before that: " + join(base.tried, "; ") + ")";
    return error;
}

RunInfo info_of(const RunRequest& request, const Series& series, const Sources& sources,
                const Base& base, const Machine& machine) {
    RunInfo info;
    info.id = request.directory.filename().string();
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    info.kmatrix_version = KMATRIX_VERSION;
    info.matrix_file = std::filesystem::absolute(request.matrix_file).lexically_normal().string();
    info.only = request.only;
    info.tests = request.tests;
    info.shard = request.shard;
    info.tree = std::filesystem::absolute(request.tree).lexically_normal().string();
    info.baseline_commit = sources.baseline_commit;
    info.baseline_describe = sources.baseline.version;
    info.patched_tree = sources.patched.id;
    info.series = series.info();
    info.series.first_patches = request.patches;
    info.noise = request.noise;
    info.each_patch = request.each_patch;
    std::error_code error;
    if (const auto path = std::filesystem::absolute(info.series.source, error);
        !error && !info.series.source.empty() && std::filesystem::exists(path, error))
        info.series.source = path.lexically_normal().string();
    info.series.notes = base_notes(series, sources, base);
    info.machine = machine;
    info.command_line = request.command_line;
    return info;
}

// To resume, the results that are there must be of the same two kernels.
Result<void> same_kernels(const RunInfo& earlier, const RunInfo& now) {
    if (earlier.baseline_commit == now.baseline_commit && earlier.patched_tree == now.patched_tree)
        return {};
    return user_error(fmt::format("{}: the series or the tree has changed since this run began "
                                  "(patched tree {} then, {} now); begin a new run",
                                  earlier.id, earlier.patched_tree, now.patched_tree));
}

Result<Store> store_of(const RunRequest& request, const RunInfo& info) {
    if (request.resume)
        return Store::open(request.directory, true);
    return read_file(text_of_matrix(request)).and_then([&](const std::string& text) {
        return Store::create(request.directory, info, text);
    });
}

} // namespace

std::vector<PlannedBoot> all_boots(const RunResult& result) {
    std::vector<PlannedBoot> boots = result.planned_boots();
    const std::vector<PlannedBoot> of_steps = result.planned_step_boots();
    boots.insert(boots.end(), of_steps.begin(), of_steps.end());
    return boots;
}

std::string series_of_run(const std::filesystem::path& directory, const RunInfo& info) {
    std::error_code error;
    const std::filesystem::path kept = directory / kept_series;
    return std::filesystem::exists(kept, error) ? kept.string() : info.series.source;
}

Result<std::string> vm_uri(const RunRequest& request) {
    return completed(request).and_then(matrix_of).map(
        [](const Matrix& matrix) { return matrix.vm.uri; });
}

asio::awaitable<Result<Prepared>> prepare(const Cache& cache, RunRequest given, Machine machine) {
    auto request = completed(std::move(given));
    if (!request)
        co_return tl::unexpected(std::move(request.error()));
    auto matrix = matrix_of(*request);
    if (!matrix)
        co_return tl::unexpected(std::move(matrix.error()));
    const Host host = this_host(*matrix);
    if (auto fits = check_host(*matrix, host); !fits)
        co_return tl::unexpected(std::move(fits.error()));

    auto repository = co_await Repository::open(cache.root(), request->tree);
    if (!repository)
        co_return tl::unexpected(std::move(repository.error()));
    auto series = co_await series_of(*request, *repository);
    if (!series)
        co_return tl::unexpected(std::move(series.error()));
    if (auto cut = keep_first(*series, request->patches); !cut)
        co_return tl::unexpected(std::move(cut.error()));
    auto base = co_await find_base(*repository, *series, request->base);
    if (!base)
        co_return tl::unexpected(std::move(base.error()));
    auto steps = co_await sources_of(cache, *repository, *base, *series, request->each_patch);
    if (!steps)
        co_return tl::unexpected(not_applied(std::move(steps.error()), *base));
    Sources sources = std::move(steps->back());
    steps->pop_back();

    RunInfo info = info_of(*request, *series, sources, *base, machine);
    info.notes = advice(*matrix, host);
    auto store = store_of(*request, info);
    if (!store)
        co_return tl::unexpected(std::move(store.error()));
    if (auto kept = keep_mails(*request, *series); !kept)
        co_return tl::unexpected(std::move(kept.error()));
    auto result = store->load();
    if (!result)
        co_return tl::unexpected(std::move(result.error()));
    if (auto same = same_kernels(result->info, info); !same)
        co_return tl::unexpected(std::move(same.error()));
    Plan planned = plan(*matrix);
    planned.boots = all_boots(*result);
    co_return Prepared{std::move(*matrix), std::move(planned), host,
                       std::move(*series), std::move(sources), std::move(*steps),
                       std::move(*result), std::move(*store)};
}

} // namespace kmatrix

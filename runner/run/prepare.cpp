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

// Mails from stdin or an archive are kept with the run.
Result<void> keep_mails(const RunRequest& request, const Series& series) {
    if (request.resume || !series.is_fetched || series.mbox.empty())
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
    auto sources = co_await apply_series(cache, *repository, base->commit, *series);
    if (!sources)
        co_return tl::unexpected(not_applied(std::move(sources.error()), *base));

    RunInfo info = info_of(*request, *series, *sources, *base, machine);
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
    planned.boots = result->planned_boots();
    co_return Prepared{std::move(*matrix), std::move(planned),  host,
                       std::move(*series), std::move(*sources), std::move(*result),
                       std::move(*store)};
}

} // namespace kmatrix

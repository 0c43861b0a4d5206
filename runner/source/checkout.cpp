// SPDX-License-Identifier: GPL-2.0-only
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/text.h"
#include "runner/cache/work_directory.h"
#include "runner/cache/worker.h"
#include "runner/source/argv.h"
#include "runner/source/sources.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// 2001-09-09 01:46:40 UTC: older than any build.
constexpr std::time_t old_time = 1'000'000'000;

bool age(const fs::path& path) {
    const timespec times[2] = {{old_time, 0}, {old_time, 0}};
    return ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<void> age_tree(const fs::path& directory) {
    std::error_code error;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (!age(entry->path()))
            return infrastructure_error(fmt::format("{}: its time cannot be set: {}",
                                                    entry->path().string(), std::strerror(errno)));
    if (error)
        return infrastructure_error(
            fmt::format("{}: cannot be walked: {}", directory.string(), error.message()));
    age(directory);
    return {};
}

// An index with the whole of a tree, for commands that write files.
asio::awaitable<Result<void>> read_index(const Repository& repository, std::string tree,
                                         fs::path index) {
    auto read = co_await repository.git(argv("read-tree", tree), index);
    if (!read)
        co_return tl::unexpected(read.error());
    co_return Result<void>{};
}

asio::awaitable<Result<void>> fill(const Cache& cache, const Repository& repository,
                                   std::string tree, fs::path directory) {
    const auto work = WorkDirectory::make(cache.work_parent(), "checkout");
    if (!work)
        co_return tl::unexpected(work.error());
    const fs::path index = work->path() / "index";
    if (auto read = co_await read_index(repository, tree, index); !read)
        co_return read;
    std::error_code error;
    fs::create_directories(directory, error);
    if (auto written =
            co_await repository.git(argv("checkout-index", "--all", "--force"), index, directory);
        !written)
        co_return tl::unexpected(std::move(written.error())
                                     .in(fmt::format("{}: cannot be checked out (a partial clone "
                                                     "lacks objects: fetch all of them first)",
                                                     repository.tree().string())));
    auto make_old = [directory] { return age_tree(directory); };
    co_return co_await on_worker(make_old);
}

asio::awaitable<Result<CacheEntry>> checkout(const Cache& cache, const Sources& sources,
                                             const SourceTree& tree) {
    const CacheKey key{"sources", tree.id,
                       fmt::format("Linux {}, tree {}", tree.version, tree.id.substr(0, 12))};
    const Cache::Make make = [&](const fs::path& directory) {
        return fill(cache, sources.repository, tree.id, directory / "source");
    };
    co_return co_await cache.get(key, make);
}

} // namespace

asio::awaitable<Result<CacheEntry>> checkout_baseline(const Cache& cache, const Sources& sources) {
    co_return co_await checkout(cache, sources, sources.baseline);
}

asio::awaitable<Result<CacheEntry>> checkout_patched(const Cache& cache, const Sources& sources) {
    co_return co_await checkout(cache, sources, sources.patched);
}

asio::awaitable<Result<void>> write_changes(const Cache& cache, const Sources& sources,
                                            fs::path directory) {
    if (sources.written.empty())
        co_return Result<void>{};
    const auto work = WorkDirectory::make(cache.work_parent(), "changes");
    if (!work)
        co_return tl::unexpected(work.error());
    const fs::path index = work->path() / "index";
    if (auto read = co_await read_index(sources.repository, sources.patched.id, index); !read)
        co_return read;
    Command command = sources.repository.command({"checkout-index", "--force", "-z", "--stdin"},
                                                 index, directory);
    for (const std::string& path : sources.written) {
        command.input += path;
        command.input += '\0';
    }
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return tl::unexpected(failed(command, *exit));
    co_return Result<void>{};
}

} // namespace kmatrix

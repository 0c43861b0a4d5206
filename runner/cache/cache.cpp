// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cache/cache.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "runner/cache/work_directory.h"
#include "runner/cache/worker.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

constexpr std::array kinds = {"sources", "baselines", "kernels", "selftests"};
constexpr std::string_view making_suffix = ".making";
constexpr const char* record_name = "entry.json";

std::uint64_t bytes_on_disk(const fs::path& directory) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        struct stat info{};
        if (::lstat(entry->path().c_str(), &info) == 0)
            bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
    }
    return bytes;
}

// An entry's record may be on disk only after all that it stands for: an object that a power cut
// left empty would look newer than its source. There are thousands of files, so that syncing the
// file system is quicker than syncing each.
Result<void> sync_files(const fs::path& directory) {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = fd >= 0 && ::syncfs(fd) == 0;
    const int sync_errno = errno;
    if (fd >= 0)
        ::close(fd);
    if (!synced)
        return infrastructure_error(fmt::format("{}: cannot be written to disk: {}",
                                                directory.string(), std::strerror(sync_errno)));
    return {};
}

void mark_used(const fs::path& entry) {
    ::utimensat(AT_FDCWD, (entry / record_name).c_str(), nullptr, 0);
}

bool is_entry(const fs::path& directory) {
    std::error_code error;
    return fs::exists(directory / record_name, error);
}

// The record goes first: what is left of a removal cut short is no entry.
void remove_entry(const fs::path& directory) {
    std::error_code error;
    fs::remove(directory / record_name, error);
    remove_tree(directory);
}

std::optional<CacheListing> read_listing(const std::string& kind, const fs::path& directory) {
    const auto text = read_file(directory / record_name);
    struct stat info{};
    if (!text || ::stat((directory / record_name).c_str(), &info) != 0)
        return std::nullopt;
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    return CacheListing{{kind, directory.filename(), json.value("label", "")},
                        json.value("bytes", std::uint64_t{0}),
                        info.st_mtime};
}

} // namespace

Cache::Cache(fs::path root, std::uint64_t cap_bytes)
    : root_(std::move(root)), cap_bytes_(cap_bytes) {
    WorkDirectory::sweep(work_parent());
    for (const char* kind : kinds) {
        std::error_code error;
        std::vector<fs::path> left;
        for (fs::directory_iterator entry(root_ / kind, error), end; !error && entry != end;
             entry.increment(error))
            if (!is_entry(entry->path()))
                left.push_back(entry->path());
        for (const fs::path& path : left) {
            const std::string hash =
                path.extension() == making_suffix ? path.stem() : path.filename();
            const auto lock =
                SharedLock::try_take(lock_path({kind, hash, {}}), SharedLock::Strength::exclusive);
            if (lock && *lock)
                remove_entry(path);
        }
    }
}

fs::path Cache::entry_path(const CacheKey& key) const {
    return root_ / key.kind / key.hash;
}

fs::path Cache::lock_path(const CacheKey& key) const {
    return root_ / "locks" / fmt::format("{}-{}.lock", key.kind, key.hash);
}

Result<std::optional<CacheEntry>> Cache::find(const CacheKey& key) const {
    auto lock = SharedLock::try_take(lock_path(key), SharedLock::Strength::shared);
    if (!lock)
        return tl::unexpected(lock.error());
    const fs::path path = entry_path(key);
    if (!*lock || !is_entry(path))
        return std::nullopt;
    mark_used(path);
    return CacheEntry(path, std::move(**lock), true);
}

Result<void> Cache::publish(const CacheKey& key, const fs::path& made) const {
    const nlohmann::json record = {
        {"label", key.label}, {"bytes", bytes_on_disk(made)}, {"made_by", KMATRIX_VERSION}};
    if (auto written = write_file(made / record_name, record.dump()); !written)
        return written;
    std::error_code error;
    fs::rename(made, entry_path(key), error);
    if (error)
        return infrastructure_error(
            fmt::format("{}: cannot be renamed: {}", made.string(), error.message()));
    return {};
}

asio::awaitable<Result<CacheEntry>> Cache::get(CacheKey key, Make make,
                                               std::function<void()> waiting) const {
    const fs::path path = entry_path(key);
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (bool told = false;;) {
        auto found = find(key);
        if (!found)
            co_return tl::unexpected(found.error());
        if (*found)
            co_return std::move(**found);
        auto lock = SharedLock::try_take(lock_path(key), SharedLock::Strength::exclusive);
        if (!lock)
            co_return tl::unexpected(lock.error());
        if (!*lock) {
            if (waiting && !told)
                waiting();
            told = true;
            timer.expires_after(std::chrono::milliseconds(200));
            co_await timer.async_wait(asio::use_awaitable);
            continue;
        }
        if (is_entry(path))
            continue; // it was finished between the two looks
        const fs::path making = path.string() + std::string(making_suffix);
        remove_tree(path); // no record: not an entry
        remove_tree(making);
        std::error_code error;
        fs::create_directories(making, error);
        if (error)
            co_return infrastructure_error(
                fmt::format("{}: cannot be made: {}", making.string(), error.message()));
        // Also where it throws because it was cancelled.
        struct Removed {
            const fs::path& directory;
            ~Removed() { remove_tree(directory); }
        } const removed{making};
        if (auto made = co_await make(making); !made)
            co_return tl::unexpected(made.error());
        const auto sync = [making] { return sync_files(making); };
        if (auto synced = co_await on_worker(sync); !synced)
            co_return tl::unexpected(synced.error());
        if (auto published = publish(key, making); !published)
            co_return tl::unexpected(published.error());
        if (auto weaker = (*lock)->weaken(); !weaker)
            co_return tl::unexpected(weaker.error());
        if (!is_entry(path))
            continue; // trimmed away by another in the moment between
        CacheEntry entry(path, std::move(**lock), false);
        trim(cap_bytes_);
        co_return std::move(entry);
    }
}

std::vector<CacheListing> Cache::list() const {
    std::vector<CacheListing> all;
    for (const char* kind : kinds) {
        std::error_code error;
        for (fs::directory_iterator entry(root_ / kind, error), end; !error && entry != end;
             entry.increment(error)) {
            auto listing = read_listing(kind, entry->path());
            if (!listing || entry->path().extension() == making_suffix)
                continue;
            const auto lock =
                SharedLock::try_take(lock_path(listing->key), SharedLock::Strength::exclusive);
            listing->in_use = lock && !*lock;
            all.push_back(std::move(*listing));
        }
    }
    std::sort(all.begin(), all.end(), [](const CacheListing& one, const CacheListing& other) {
        return one.used > other.used;
    });
    return all;
}

CacheTrimmed Cache::trim(std::uint64_t cap_bytes) const {
    CacheTrimmed trimmed;
    std::vector<CacheListing> all = list();
    for (const CacheListing& listing : all)
        trimmed.left_bytes += listing.bytes;
    for (auto oldest = all.rbegin(); oldest != all.rend() && trimmed.left_bytes > cap_bytes;
         ++oldest) {
        const auto lock =
            SharedLock::try_take(lock_path(oldest->key), SharedLock::Strength::exclusive);
        if (!lock || !*lock)
            continue;
        remove_entry(entry_path(oldest->key));
        ++trimmed.removed;
        trimmed.freed_bytes += oldest->bytes;
        trimmed.left_bytes -= oldest->bytes;
    }
    return trimmed;
}

HashOf& HashOf::add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{} {}\n{}\n", name, value.size(), value);
    return *this;
}

std::string HashOf::hex() const {
    return sha256(text_);
}

} // namespace kmatrix

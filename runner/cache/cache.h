// SPDX-License-Identifier: GPL-2.0-only
// What kmatrix keeps between runs: checkouts, kernels, selftests; each under a hash of all that
// went into it, so that the same thing is never made twice.
//
// On disk, under the root: KIND/HASH is an entry, whole or not there (it is made beside, as
// KIND/HASH.making, and renamed); locks/KIND-HASH.lock is held shared by who uses an entry and
// exclusively by who makes or removes it. HASH/entry.json says what it is; its time of modification
// is when it was last used.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/cache/shared_lock.h"

namespace kmatrix {

inline constexpr std::uint64_t default_cache_cap_bytes = 30ull << 30;

struct CacheKey {
    std::string kind;  // "sources", "baselines", "kernels", "selftests": a folder's name
    std::string hash;  // of all that went in; a file's name
    std::string label; // for people: "x86_64 default gcc, Linux 7.3.4"
};

// An entry in use: nobody removes it while this lives.
class CacheEntry {
  public:
    CacheEntry(std::filesystem::path directory, SharedLock lock, bool found)
        : directory_(std::move(directory)), lock_(std::move(lock)), found_(found) {}

    const std::filesystem::path& directory() const { return directory_; }
    bool found() const { return found_; } // it was there already

  private:
    std::filesystem::path directory_;
    SharedLock lock_;
    bool found_;
};

struct CacheListing {
    CacheKey key;
    std::uint64_t bytes = 0; // on disk
    std::time_t used = 0;    // last
    bool in_use = false;     // by some kmatrix, now
};

struct CacheTrimmed {
    std::size_t removed = 0;
    std::uint64_t freed_bytes = 0;
    std::uint64_t left_bytes = 0;
};

class Cache {
  public:
    // Also removes what killed makers left behind.
    explicit Cache(std::filesystem::path root, std::uint64_t cap_bytes = default_cache_cap_bytes);

    const std::filesystem::path& root() const { return root_; }
    // Where to work: on the same file system as the entries.
    std::filesystem::path work_parent() const { return root_ / "work"; }

    // Fills the empty directory; what it leaves there is the entry.
    using Make = std::function<boost::asio::awaitable<Result<void>>(const std::filesystem::path&)>;

    // The entry, made now if it is not there; where another kmatrix makes it at this moment, that
    // is waited for (`waiting`, if given, is called once then). Trims to the cap after making.
    boost::asio::awaitable<Result<CacheEntry>> get(CacheKey key, Make make,
                                                   std::function<void()> waiting = {}) const;
    // Nothing: it is not there. Never waits.
    Result<std::optional<CacheEntry>> find(const CacheKey& key) const;

    // All entries, last used first.
    std::vector<CacheListing> list() const;
    // Removes entries, least recently used first and never one in use, until they fit.
    CacheTrimmed trim(std::uint64_t cap_bytes) const;

  private:
    std::filesystem::path entry_path(const CacheKey& key) const;
    std::filesystem::path lock_path(const CacheKey& key) const;
    Result<void> publish(const CacheKey& key, const std::filesystem::path& made) const;

    std::filesystem::path root_;
    std::uint64_t cap_bytes_;
};

// SHA-256 over named parts, so that "ab"+"c" and "a"+"bc" differ.
class HashOf {
  public:
    HashOf& add(std::string_view name, std::string_view value);
    std::string hex() const;

  private:
    std::string text_;
};

} // namespace kmatrix

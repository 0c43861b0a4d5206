// SPDX-License-Identifier: GPL-2.0-only
// Files as values, and the few places where kmatrix keeps its own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix {

Result<std::string> read_file(const std::filesystem::path& path);

// Whole or not at all, and on disk when it returns: written to a temporary beside it, fsynced,
// renamed, the directory fsynced. Missing parent directories are made in the same way.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// Removes what a write_file() that was killed has left in the directory and below.
void remove_temporaries(const std::filesystem::path& directory);

// SHA-256 of a file's content, 64 hexadecimal digits.
Result<std::string> sha256_file(const std::filesystem::path& path);

// XDG base directories (https://specifications.freedesktop.org/basedir-spec/), "/kmatrix" appended.
std::filesystem::path cache_directory(); // $XDG_CACHE_HOME or ~/.cache
std::filesystem::path state_directory(); // $XDG_STATE_HOME or ~/.local/state

// An exclusive flock on a file, held until destruction. Other processes wait for it.
class FileLock {
  public:
    static Result<FileLock> take(const std::filesystem::path& path);
    static Result<FileLock> try_take(const std::filesystem::path& path); // an Error if it is held
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

  private:
    explicit FileLock(int fd) : fd_(fd) {}
    int fd_ = -1;
};

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Directories that kmatrix works in and throws away.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "base/error.h"
#include "runner/cache/shared_lock.h"

namespace kmatrix {

// Removes a tree that an untrusted program may have written: symbolic links are not followed, and
// directories that forbid their owner to look inside (overlayfs leaves one) are opened first.
// What cannot be removed stays.
void remove_tree(const std::filesystem::path& directory);

// A new directory, removed at destruction. It is marked as in use by a lock, so that sweep() can
// tell what a killed kmatrix left behind.
class WorkDirectory {
  public:
    // Made under parent; name is for people ("build-x86_64").
    static Result<WorkDirectory> make(const std::filesystem::path& parent, const std::string& name);
    WorkDirectory(WorkDirectory&& other) noexcept
        : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
    WorkDirectory& operator=(WorkDirectory&&) = delete;
    ~WorkDirectory();

    const std::filesystem::path& path() const { return path_; }

    // Removes the work directories under parent that no living process uses.
    static void sweep(const std::filesystem::path& parent);

  private:
    WorkDirectory(std::filesystem::path path, SharedLock lock)
        : path_(std::move(path)), lock_(std::move(lock)) {}

    std::filesystem::path path_; // empty: moved from
    SharedLock lock_;
};

} // namespace kmatrix

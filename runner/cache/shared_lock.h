// SPDX-License-Identifier: GPL-2.0-only
// flock(2) on a file in its two strengths: many who use a thing, or one who makes or removes it.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"

namespace kmatrix {

// Held until destruction; the kernel lets go of it when the process dies.
class SharedLock {
  public:
    enum class Strength { shared, exclusive };

    // Nothing: somebody else holds it. The file and its directory are made; Errors are those of
    // making and opening it.
    static Result<std::optional<SharedLock>> try_take(const std::filesystem::path& path,
                                                      Strength strength);
    // From exclusive to shared. Another may come between: what the lock guards is to be looked at
    // again.
    Result<void> weaken();

    SharedLock(SharedLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    SharedLock& operator=(SharedLock&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~SharedLock();

  private:
    explicit SharedLock(int fd) : fd_(fd) {}
    int fd_ = -1;
};

} // namespace kmatrix

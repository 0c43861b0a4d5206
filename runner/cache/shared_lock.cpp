// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cache/shared_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kmatrix {

Result<std::optional<SharedLock>> SharedLock::try_take(const std::filesystem::path& path,
                                                       Strength strength) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    SharedLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.fd_ < 0)
        return infrastructure_error(
            fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
    const int how = strength == Strength::shared ? LOCK_SH : LOCK_EX;
    while (::flock(lock.fd_, how | LOCK_NB) != 0) {
        if (errno == EINTR)
            continue;
        if (errno == EWOULDBLOCK)
            return std::nullopt;
        return infrastructure_error(
            fmt::format("{}: cannot be locked: {}", path.string(), std::strerror(errno)));
    }
    return lock;
}

Result<void> SharedLock::weaken() {
    while (::flock(fd_, LOCK_SH) != 0)
        if (errno != EINTR)
            return infrastructure_error(
                fmt::format("a lock of the cache cannot be kept: {}", std::strerror(errno)));
    return {};
}

SharedLock::~SharedLock() {
    if (fd_ >= 0)
        ::close(fd_);
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/capped_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kmatrix {
namespace {

constexpr std::size_t recent_limit_bytes = 64u << 10;

} // namespace

Result<CappedLog> CappedLog::create(const std::filesystem::path& path, std::uint64_t limit_bytes) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return infrastructure_error(
            fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
    return CappedLog(path, fd, limit_bytes);
}

CappedLog::CappedLog(CappedLog&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)),
      left_bytes_(other.left_bytes_), beyond_bytes_(other.beyond_bytes_),
      recent_(std::move(other.recent_)), failure_(std::move(other.failure_)) {}

CappedLog& CappedLog::operator=(CappedLog&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    std::swap(left_bytes_, other.left_bytes_);
    std::swap(beyond_bytes_, other.beyond_bytes_);
    std::swap(recent_, other.recent_);
    std::swap(failure_, other.failure_);
    return *this;
}

CappedLog::~CappedLog() {
    if (fd_ >= 0)
        ::close(fd_);
}

Result<void> CappedLog::put(std::string_view bytes) {
    while (failure_.empty() && !bytes.empty()) {
        const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            failure_ =
                fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno));
        else
            bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    if (!failure_.empty())
        return infrastructure_error(failure_);
    return {};
}

Result<void> CappedLog::write(std::string_view bytes) {
    recent_.append(bytes.substr(bytes.size() - std::min(bytes.size(), recent_limit_bytes)));
    if (recent_.size() > recent_limit_bytes)
        recent_.erase(0, recent_.size() - recent_limit_bytes);

    const std::string_view kept = bytes.substr(0, left_bytes_);
    left_bytes_ -= kept.size();
    beyond_bytes_ += bytes.size() - kept.size();
    return put(kept);
}

Result<void> CappedLog::finish() {
    if (beyond_bytes_ == 0)
        return put({});
    const std::size_t last =
        static_cast<std::size_t>(std::min<std::uint64_t>(beyond_bytes_, recent_.size()));
    if (beyond_bytes_ > last) {
        const auto said = put(fmt::format("\n[kmatrix: the log's limit is reached; {} bytes are "
                                          "left out here]\n",
                                          beyond_bytes_ - last));
        if (!said)
            return said;
    }
    beyond_bytes_ = 0;
    return put(std::string_view(recent_).substr(recent_.size() - last));
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// A guest's output in a file, however much the guest says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix {

// Keeps the first `limit_bytes` as they come, and of what follows the last 64 KiB, which are
// written when it ends, after a line that says how much is missing.
class CappedLog {
  public:
    // Errors: the file cannot be made. Missing parent directories are.
    static Result<CappedLog> create(const std::filesystem::path& path, std::uint64_t limit_bytes);
    CappedLog(CappedLog&& other) noexcept;
    CappedLog& operator=(CappedLog&& other) noexcept;
    CappedLog(const CappedLog&) = delete;
    CappedLog& operator=(const CappedLog&) = delete;
    ~CappedLog();

    // Errors: the file cannot be written (a full disk). The first stays for good.
    Result<void> write(std::string_view bytes);
    Result<void> finish();

    // The last bytes that came, whether or not they are in the file; at most 64 KiB.
    const std::string& recent() const { return recent_; }

  private:
    CappedLog(std::filesystem::path path, int fd, std::uint64_t limit_bytes)
        : path_(std::move(path)), fd_(fd), left_bytes_(limit_bytes) {}
    Result<void> put(std::string_view bytes);

    std::filesystem::path path_;
    int fd_ = -1;
    std::uint64_t left_bytes_ = 0;
    std::uint64_t beyond_bytes_ = 0;
    std::string recent_;
    std::string failure_;
};

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
// Small files of /proc and /sys, and descriptors that close themselves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kmatrix::guest {

class Fd {
  public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept;
    Fd& operator=(Fd&& other) noexcept;
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    ~Fd() { reset(); }

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }
    void reset();

  private:
    int fd_ = -1;
};

struct Pipe {
    Fd read_end;
    Fd write_end;
};

// Both ends close on exec; the read end does not block. Neither end is open if it failed (errno).
Pipe make_pipe();

// The whole file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

// Writes to a file that is there. False, with errno, if it cannot.
bool write_file(const std::filesystem::path& path, std::string_view text);

} // namespace kmatrix::guest

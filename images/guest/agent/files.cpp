// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace kmatrix::guest {

Fd::Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Fd& Fd::operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    other.reset();
    return *this;
}

void Fd::reset() {
    if (fd_ >= 0) {
        close(std::exchange(fd_, -1));
    }
}

Pipe make_pipe() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {};
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {Fd(ends[0]), Fd(ends[1])};
}

std::string read_file(const std::filesystem::path& path) {
    const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t got = read(file.get(), buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            return text;
        }
    }
}

bool write_file(const std::filesystem::path& path, std::string_view text) {
    const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.is_open() &&
           write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

} // namespace kmatrix::guest

// SPDX-License-Identifier: GPL-2.0-only
#include "base/files.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/text.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

tl::unexpected<Error> failure(const fs::path& path, const char* what) {
    return infrastructure_error(
        fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

bool write_whole(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

// On disk, and not only in memory. Some file systems cannot say so of a directory (EINVAL).
bool sync_directory(const fs::path& directory) {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool synced = ::fsync(fd) == 0 || errno == EINVAL;
    const int sync_errno = errno;
    ::close(fd);
    errno = sync_errno;
    return synced;
}

// A directory that was made is there after a power cut once the one that holds it is synced.
std::error_code make_directories(const fs::path& directory) {
    std::error_code error;
    if (fs::is_directory(directory, error))
        return {};
    const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
    if (parent != directory && !fs::exists(parent, error))
        if (const std::error_code failed = make_directories(parent))
            return failed;
    fs::create_directory(directory, error);
    if (error)
        return error;
    if (!sync_directory(parent))
        return {errno, std::generic_category()};
    return {};
}

constexpr std::string_view temporary_mark = ".new-";
constexpr std::string_view temporary_end = "XXXXXX"; // mkstemp's

fs::path xdg_directory(const char* variable, const char* under_home) {
    if (const char* value = std::getenv(variable); value && fs::path(value).is_absolute())
        return fs::path(value) / "kmatrix";
    if (const char* home = std::getenv("HOME"); home && *home)
        return fs::path(home) / under_home / "kmatrix";
    const passwd* user = ::getpwuid(::getuid());
    return fs::path(user ? user->pw_dir : "/tmp") / under_home / "kmatrix";
}

} // namespace

Result<std::string> read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return failure(path, "cannot be read");
    std::ostringstream content;
    content << file.rdbuf();
    if (file.bad() || content.bad())
        return failure(path, "cannot be read");
    return std::move(content).str();
}

Result<void> write_file(const fs::path& path, std::string_view content) {
    const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (const std::error_code error = make_directories(directory))
        return infrastructure_error(
            fmt::format("{}: cannot be made: {}", directory.string(), error.message()));
    std::string temporary = path.string();
    temporary.append(temporary_mark).append(temporary_end);
    const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return failure(path, "cannot be written");
    const bool written = write_whole(fd, content) && ::fchmod(fd, 0644) == 0 && ::fsync(fd) == 0;
    const int write_errno = errno;
    ::close(fd);
    if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
        if (!written)
            errno = write_errno;
        auto result = failure(path, "cannot be written");
        ::unlink(temporary.c_str());
        return result;
    }
    if (!sync_directory(directory))
        return failure(path, "cannot be written");
    return {};
}

void remove_temporaries(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const std::size_t mark = name.rfind(temporary_mark);
        if (mark != std::string::npos &&
            mark + temporary_mark.size() + temporary_end.size() == name.size())
            left.push_back(entry->path());
    }
    for (const fs::path& path : left)
        fs::remove(path, error);
}

Result<std::string> sha256_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return failure(path, "cannot be read");
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
    std::vector<char> buffer(1u << 20);
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
           file.gcount() > 0)
        EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (file.bad())
        return failure(path, "cannot be read");
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i)
        text += fmt::format("{:02x}", digest[i]);
    return text;
}

fs::path cache_directory() {
    return xdg_directory("XDG_CACHE_HOME", ".cache");
}
fs::path state_directory() {
    return xdg_directory("XDG_STATE_HOME", ".local/state");
}

namespace {

Result<int> open_lock(const fs::path& path, int how) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error && path.has_parent_path())
        return infrastructure_error(
            fmt::format("{}: cannot be made: {}", path.parent_path().string(), error.message()));
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return failure(path, "cannot be opened");
    while (::flock(fd, how) != 0) {
        if (errno == EINTR)
            continue;
        auto result = failure(path, "is locked by another process");
        ::close(fd);
        return result;
    }
    return fd;
}

} // namespace

Result<FileLock> FileLock::take(const fs::path& path) {
    return open_lock(path, LOCK_EX).map([](int fd) { return FileLock(fd); });
}

Result<FileLock> FileLock::try_take(const fs::path& path) {
    return open_lock(path, LOCK_EX | LOCK_NB).map([](int fd) { return FileLock(fd); });
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

FileLock::~FileLock() {
    if (fd_ >= 0)
        ::close(fd_);
}

} // namespace kmatrix

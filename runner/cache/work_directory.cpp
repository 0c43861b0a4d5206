// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cache/work_directory.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/command.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

fs::path lock_of(const fs::path& directory) {
    return directory.string() + ".lock";
}

// Lets the owner into every directory below. A symbolic link is nobody's directory here.
void open_directories(const fs::path& directory) {
    ::chmod(directory.c_str(), 0700);
    std::error_code error;
    std::vector<fs::path> below;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->symlink_status(ignored).type() == fs::file_type::directory)
            below.push_back(entry->path());
    }
    for (const fs::path& path : below)
        open_directories(path);
}

} // namespace

void remove_tree(const fs::path& directory) {
    std::error_code error;
    fs::remove_all(directory, error);
    if (!error)
        return;
    if (fs::symlink_status(directory, error).type() == fs::file_type::directory)
        open_directories(directory);
    fs::remove_all(directory, error);
    // Deeper than this process has descriptors, or a path has room for.
    if (error && fs::exists(directory, error)) {
        Command command;
        command.argv = {"rm", "-rf", "--one-file-system", "--", directory.string()};
        static_cast<void>(run_blocking(std::move(command)));
    }
}

Result<WorkDirectory> WorkDirectory::make(const fs::path& parent, const std::string& name) {
    std::error_code error;
    fs::create_directories(parent, error);
    for (int number = 0;; ++number) {
        const fs::path path = parent / fmt::format("{}-{}-{}", name, ::getpid(), number);
        if (fs::exists(path, error))
            continue;
        // The lock first: a directory without a held lock is swept away.
        auto lock = SharedLock::try_take(lock_of(path), SharedLock::Strength::exclusive);
        if (!lock)
            return tl::unexpected(lock.error());
        if (!*lock)
            continue;
        if (::mkdir(path.c_str(), 0700) != 0) {
            if (errno == EEXIST)
                continue;
            return infrastructure_error(
                fmt::format("{}: cannot be made: {}", path.string(), std::strerror(errno)));
        }
        return WorkDirectory(path, std::move(**lock));
    }
}

WorkDirectory::~WorkDirectory() {
    if (path_.empty())
        return;
    remove_tree(path_);
    ::unlink(lock_of(path_).c_str());
}

void WorkDirectory::sweep(const fs::path& parent) {
    std::error_code error;
    std::vector<fs::path> locks;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".lock")
            locks.push_back(entry->path());
    for (const fs::path& lock_path : locks) {
        const auto lock = SharedLock::try_take(lock_path, SharedLock::Strength::exclusive);
        if (!lock || !*lock)
            continue;
        remove_tree(fs::path(lock_path).replace_extension());
        ::unlink(lock_path.c_str());
    }
}

} // namespace kmatrix

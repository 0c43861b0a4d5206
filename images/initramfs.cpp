// SPDX-License-Identifier: GPL-2.0-only
#include "images/initramfs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "images/protocol.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

// Any fixed time would do; the kernel warns of times before 1970 nowhere.
constexpr time_t fixed_time = 0;

using Sink =
    std::function<bool(std::string_view bytes)>; // false, with errno, if it cannot take them

std::string errno_text() {
    return std::strerror(errno);
}

struct FileDescriptor {
    explicit FileDescriptor(int number) : fd(number) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (fd >= 0) {
            close(fd);
        }
    }
    int fd;
};

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t wrote = write(fd, bytes.data(), bytes.size());
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(wrote < 0 ? 0 : static_cast<std::size_t>(wrote));
    }
    return true;
}

// A new file beside `file`, which takes its place when all of it is written.
Result<void> write_whole(const fs::path& file,
                         const std::function<Result<void>(const Sink& sink)>& produce) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const fs::path temporary = file.string() + fmt::format(".tmp{}", getpid());
    const FileDescriptor out(
        open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (out.fd < 0) {
        return infrastructure_error(
            fmt::format("cannot write {}: {}", temporary.string(), errno_text()));
    }
    auto produced = produce([&](std::string_view bytes) { return write_all(out.fd, bytes); });
    if (produced && (fsync(out.fd) != 0 || rename(temporary.c_str(), file.c_str()) != 0)) {
        produced =
            infrastructure_error(fmt::format("cannot write {}: {}", file.string(), errno_text()));
    }
    if (!produced) {
        unlink(temporary.c_str());
    }
    return produced;
}

// Gives `take` a regular file's bytes, and its size before.
Result<void> read_regular(const fs::path& path, const std::function<void(std::int64_t)>& begin,
                          const std::function<Result<void>(std::string_view)>& take) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status{};
    if (file.fd < 0 || fstat(file.fd, &status) != 0) {
        return infrastructure_error(fmt::format("cannot read {}: {}", path.string(), errno_text()));
    }
    if (!S_ISREG(status.st_mode)) {
        return infrastructure_error(fmt::format("{} is no regular file", path.string()));
    }
    begin(status.st_size);
    std::vector<char> buffer(std::size_t{1} << 20);
    std::int64_t left = status.st_size;
    while (left > 0) {
        const ssize_t got = read(file.fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0 || got > left) {
            return infrastructure_error(fmt::format("cannot read {}: {}", path.string(),
                                                    got < 0 ? errno_text() : "its size changed"));
        }
        if (auto taken = take({buffer.data(), static_cast<std::size_t>(got)}); !taken) {
            return taken;
        }
        left -= got;
    }
    return {};
}

// libarchive's writer, giving its bytes to a sink.
class CpioWriter {
  public:
    explicit CpioWriter(const Sink& sink) : sink_(sink), archive_(archive_write_new()) {
        archive_write_set_format_cpio_newc(archive_);
        archive_write_add_filter_none(archive_);
        archive_write_set_bytes_per_block(archive_, 1 << 20);
        archive_write_set_bytes_in_last_block(archive_, 4);
        archive_write_open(archive_, this, nullptr, &CpioWriter::on_bytes, nullptr);
    }
    CpioWriter(const CpioWriter&) = delete;
    CpioWriter& operator=(const CpioWriter&) = delete;
    ~CpioWriter() {
        if (archive_ != nullptr) {
            archive_write_free(archive_);
        }
    }

    Result<void> add(const ImageEntry& image_entry) {
        const Entry entry(archive_entry_new());
        archive_entry_set_pathname(entry.get(), image_entry.path.c_str() + 1);
        archive_entry_set_mtime(entry.get(), fixed_time, 0);
        archive_entry_set_ino64(entry.get(), ++last_inode_); // no two are the same file
        archive_entry_set_nlink(entry.get(), 1);
        archive_entry_set_perm(entry.get(), image_entry.mode);
        return std::visit([&](const auto& what) { return add_as(entry.get(), what); },
                          image_entry.what);
    }

    Result<void> finish() {
        const int closed = archive_write_close(archive_);
        return check(closed);
    }

  private:
    struct FreeEntry {
        void operator()(archive_entry* entry) const { archive_entry_free(entry); }
    };
    using Entry = std::unique_ptr<archive_entry, FreeEntry>;

    Result<void> add_as(archive_entry* entry, const ImageEntry::Directory&) {
        archive_entry_set_filetype(entry, AE_IFDIR);
        return begin(entry, 0);
    }
    Result<void> add_as(archive_entry* entry, const ImageEntry::Symlink& link) {
        archive_entry_set_filetype(entry, AE_IFLNK);
        archive_entry_set_perm(entry, 0777);
        archive_entry_set_symlink(entry, link.target.c_str());
        return begin(entry, 0);
    }
    Result<void> add_as(archive_entry* entry, const ImageEntry::Content& content) {
        archive_entry_set_filetype(entry, AE_IFREG);
        auto begun = begin(entry, static_cast<std::int64_t>(content.bytes.size()));
        return begun ? add_bytes(content.bytes) : begun;
    }
    Result<void> add_as(archive_entry* entry, const ImageEntry::HostFile& file) {
        archive_entry_set_filetype(entry, AE_IFREG);
        Result<void> begun;
        auto read = read_regular(
            file.path, [&](std::int64_t size) { begun = begin(entry, size); },
            [&](std::string_view bytes) { return begun ? add_bytes(bytes) : begun; });
        return begun ? read : begun;
    }

    Result<void> begin(archive_entry* entry, std::int64_t size) {
        archive_entry_set_size(entry, size);
        return check(archive_write_header(archive_, entry));
    }
    Result<void> add_bytes(std::string_view bytes) {
        const la_ssize_t wrote = archive_write_data(archive_, bytes.data(), bytes.size());
        return check(wrote == static_cast<la_ssize_t>(bytes.size()) ? ARCHIVE_OK : ARCHIVE_FATAL);
    }
    Result<void> check(int code) const {
        if (code == ARCHIVE_OK) {
            return {};
        }
        const char* why = archive_error_string(archive_);
        return infrastructure_error(
            fmt::format("cannot write the initramfs: {}", why == nullptr ? "unknown error" : why));
    }

    static la_ssize_t on_bytes(archive* writer, void* self, const void* bytes, std::size_t count) {
        const auto& sink = static_cast<CpioWriter*>(self)->sink_;
        if (!sink({static_cast<const char*>(bytes), count})) {
            archive_set_error(writer, errno, "%s", std::strerror(errno));
            return -1;
        }
        return static_cast<la_ssize_t>(count);
    }

    const Sink& sink_;
    archive* archive_;
    std::int64_t last_inode_ = 0;
};

bool is_directory(const ImageEntry& entry) {
    return std::holds_alternative<ImageEntry::Directory>(entry.what);
}

// Absolute, normal, and not the root itself.
bool is_guest_path(const std::string& path) {
    return path.size() > 1 && path.front() == '/' && path.back() != '/' &&
           fs::path(path).lexically_normal().native() == path &&
           path.find("/../") == std::string::npos && path.find('\0') == std::string::npos;
}

// Sorted so that a directory comes before what is in it, which the kernel needs.
Result<std::vector<ImageEntry>> arranged(std::vector<ImageEntry> entries) {
    std::map<std::string, ImageEntry> by_path;
    for (ImageEntry& entry : entries) {
        if (!is_guest_path(entry.path)) {
            return infrastructure_error(
                fmt::format("\"{}\" is no absolute path of a guest", entry.path));
        }
        const bool directory = is_directory(entry);
        const std::string path = entry.path;
        const auto [there, is_new] = by_path.try_emplace(path, std::move(entry));
        if (!is_new && !(directory && is_directory(there->second))) {
            return infrastructure_error(fmt::format("{} is in the image twice", path));
        }
    }
    std::map<std::string, ImageEntry> parents;
    for (const auto& [path, entry] : by_path) {
        for (fs::path parent = fs::path(path).parent_path(); parent != "/";
             parent = parent.parent_path()) {
            const auto there = by_path.find(parent);
            if (there == by_path.end()) {
                parents.emplace(parent, ImageEntry{parent, ImageEntry::Directory{}, 0755});
            } else if (!is_directory(there->second)) {
                return infrastructure_error(fmt::format("{} is in the image, below {}, which is "
                                                        "no directory there",
                                                        path, parent.string()));
            }
        }
    }
    by_path.merge(parents);
    std::vector<ImageEntry> result;
    for (auto& [path, entry] : by_path) {
        result.push_back(std::move(entry));
    }
    return result;
}

Result<void> produce(std::vector<ImageEntry> entries, const Sink& sink) {
    const auto all = arranged(std::move(entries));
    if (!all) {
        return tl::unexpected(all.error());
    }
    CpioWriter writer(sink);
    for (const ImageEntry& entry : *all) {
        if (auto added = writer.add(entry); !added) {
            return tl::unexpected(std::move(added.error()).in(entry.path));
        }
    }
    return writer.finish();
}

Result<ImageEntry> tree_entry(const fs::directory_entry& found, const std::string& guest_path) {
    const fs::file_status status = found.symlink_status();
    switch (status.type()) {
    case fs::file_type::directory:
        return ImageEntry{guest_path, ImageEntry::Directory{}, 0755};
    case fs::file_type::symlink:
        return ImageEntry{guest_path, ImageEntry::Symlink{fs::read_symlink(found.path())}, 0777};
    case fs::file_type::regular: {
        constexpr auto any_x =
            fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
        const bool executable = (status.permissions() & any_x) != fs::perms::none;
        return ImageEntry{guest_path, ImageEntry::HostFile{found.path()},
                          executable ? 0755u : 0644u};
    }
    default:
        return infrastructure_error(
            fmt::format("{} is a device, socket or FIFO, and does not go into an image",
                        found.path().string()));
    }
}

} // namespace

Result<std::vector<ImageEntry>> directory_tree(const fs::path& host_directory,
                                               const std::string& guest_path) {
    std::vector<ImageEntry> entries{{guest_path, ImageEntry::Directory{}, 0755}};
    try {
        for (const auto& found : fs::recursive_directory_iterator(host_directory)) {
            const auto relative = found.path().lexically_relative(host_directory);
            auto entry = tree_entry(found, guest_path + "/" + relative.string());
            if (!entry) {
                return tl::unexpected(entry.error());
            }
            entries.push_back(std::move(*entry));
        }
    } catch (const fs::filesystem_error& error) {
        return infrastructure_error(fmt::format("cannot read the folder {} for an image: {}",
                                                host_directory.string(), error.code().message()));
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& left, const auto& right) { return left.path < right.path; });
    return entries;
}

Result<void> write_initramfs(std::vector<ImageEntry> entries, const fs::path& file) {
    return write_whole(file, [&](const Sink& sink) { return produce(std::move(entries), sink); });
}

Result<std::string> initramfs_bytes(std::vector<ImageEntry> entries) {
    std::string bytes;
    auto produced = produce(std::move(entries), [&](std::string_view more) {
        bytes += more;
        return true;
    });
    if (!produced) {
        return tl::unexpected(produced.error());
    }
    return bytes;
}

Result<std::string> make_plan_archive(std::string_view plan_json) {
    return initramfs_bytes(
        {{protocol::plan_path, ImageEntry::Content{std::string(plan_json)}, 0644}});
}

Result<void> concatenate(const fs::path& base, std::string_view archive, const fs::path& file) {
    return write_whole(file, [&](const Sink& sink) -> Result<void> {
        std::int64_t size = 0;
        const auto give = [&](std::string_view bytes) -> Result<void> {
            if (!sink(bytes)) {
                return infrastructure_error(
                    fmt::format("cannot write {}: {}", file.string(), errno_text()));
            }
            return {};
        };
        auto copied = read_regular(base, [&](std::int64_t bytes) { size = bytes; }, give);
        if (!copied) {
            return copied;
        }
        constexpr std::array<char, 4> zeros{};
        auto padded = give({zeros.data(), static_cast<std::size_t>((4 - size % 4) % 4)});
        return padded ? give(archive) : padded;
    });
}

} // namespace kmatrix

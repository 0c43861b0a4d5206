// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/guest_folder.h"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kmatrix::libvirt {
namespace fs = std::filesystem;
namespace {

tl::unexpected<Error> failure(const fs::path& path, const char* what) {
    return infrastructure_error(
        fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

// One that QEMU's user may go through, whatever the umask.
bool make_directory(const fs::path& path) {
    return ::mkdir(path.c_str(), 0700) == 0 && ::chmod(path.c_str(), 0711) == 0;
}

Result<void> copy_in(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, error);
    if (error)
        return infrastructure_error(fmt::format("{}: cannot be copied to {}: {}", from.string(),
                                                to.string(), error.message()));
    fs::permissions(to, fs::perms(0644), error);
    return {};
}

Result<void> make_fifos(const fs::path& path) {
    for (const char* end : {".in", ".out"}) {
        const fs::path fifo = path.string() + end;
        if (::mkfifo(fifo.c_str(), 0600) != 0)
            return failure(fifo, "the FIFO cannot be made");
    }
    return {};
}

} // namespace

Result<GuestFolder> GuestFolder::make(const fs::path& place, const std::string& name,
                                      const GuestSpec& spec, const Guardian& guardian) {
    const fs::path all = place / "guests";
    if (!make_directory(all) && errno != EEXIST)
        return failure(all, "cannot be made");
    const fs::path path = all / name;
    GuestFolder folder(path, guardian);
    guardian.remove_at_death(path);
    if (!make_directory(path))
        return failure(path, "cannot be made");
    DomainFiles& files = folder.files_;
    files.name = name;
    files.kernel = path / "kernel";
    if (auto copied = copy_in(spec.kernel, files.kernel); !copied)
        return tl::unexpected(std::move(copied.error()));
    if (!spec.initrd.empty()) {
        files.initrd = path / "initrd";
        if (auto copied = copy_in(spec.initrd, files.initrd); !copied)
            return tl::unexpected(std::move(copied.error()));
    }
    files.console = path / "console";
    files.channel = path / "channel";
    for (const fs::path& stream : {files.console, files.channel})
        if (auto made = make_fifos(stream); !made)
            return tl::unexpected(std::move(made.error()));
    return folder;
}

GuestFolder::GuestFolder(GuestFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), guardian_(other.guardian_),
      files_(std::move(other.files_)) {}

GuestFolder& GuestFolder::operator=(GuestFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(guardian_, other.guardian_);
    std::swap(files_, other.files_);
    return *this;
}

GuestFolder::~GuestFolder() {
    if (path_.empty())
        return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    guardian_->keep(path_);
}

Result<Fifo> Fifo::open(const fs::path& path) {
    Fifo fifo;
    fifo.read_fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fifo.read_fd < 0)
        return failure(path, "cannot be opened");
    fifo.write_fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fifo.write_fd < 0) {
        const auto error = failure(path, "cannot be opened");
        ::close(fifo.read_fd);
        return error;
    }
    return fifo;
}

} // namespace kmatrix::libvirt

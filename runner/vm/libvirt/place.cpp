// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/place.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/vm/guests.h"
#include "runner/vm/libvirt/qemu_user.h"

namespace kmatrix::libvirt {
namespace fs = std::filesystem;
namespace {

// sun_path has 108 bytes with the NUL. Below a place lie "/vm-NN" and, at the longest,
// "/lib/qemu/domain-99999-" with 20 characters of the domain's name and "/monitor.sock".
constexpr std::size_t longest_place = 107 - 6 - 23 - 20 - 13;
constexpr int most_roots = 64;

// The first directory on the way there that lets no others through; nothing: all do.
std::optional<fs::path> closed_above(const fs::path& path) {
    fs::path above = path;
    do {
        above = above.parent_path();
        struct stat state{};
        if (::stat(above.c_str(), &state) == 0 && !(state.st_mode & S_IXOTH))
            return above;
    } while (above != above.root_path());
    return std::nullopt;
}

// Why the directory is none to work in; nothing: it is fine.
std::optional<std::string> fault(const fs::path& path, bool other_user) {
    if (path.string().size() > longest_place)
        return fmt::format("is longer than {} bytes", longest_place);
    if (const auto closed = other_user ? closed_above(path) : std::nullopt)
        return fmt::format("cannot be reached by QEMU's user, for {}", closed->string());
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (::mkdir(path.c_str(), 0700) == 0)
        ::chmod(path.c_str(), 0711); // whatever the umask
    else if (errno != EEXIST)
        return fmt::format("cannot be made: {}", std::strerror(errno));
    struct stat state{};
    if (::lstat(path.c_str(), &state) != 0)
        return std::strerror(errno);
    if (!S_ISDIR(state.st_mode) || state.st_uid != ::geteuid() || (state.st_mode & 022))
        return "is not a directory of yours that nobody else may write to";
    if (::access(path.c_str(), W_OK) != 0)
        return fmt::format("cannot be written to: {}", std::strerror(errno));
    if (other_user && !(state.st_mode & S_IXOTH))
        return "cannot be reached by QEMU's user";
    return std::nullopt;
}

// What the driver leaves of domains, whose emulators are dead by now.
void clear(const fs::path& root) {
    std::error_code ignored;
    for (const char* name : {"run", "lib", "log"})
        fs::remove_all(root / name, ignored);
}

struct Taken {
    fs::path path;
    FileLock lock;
};

Result<Taken> take_root(const fs::path& place) {
    for (int number = 0; number < most_roots; ++number) {
        const fs::path path = place / fmt::format("vm-{}", number);
        auto lock = FileLock::try_take(path.string() + ".lock");
        if (!lock)
            continue;
        clear(path);
        std::error_code ignored;
        fs::create_directories(path / "log", ignored);
        const std::string conf = qemu_conf(qemu_user());
        if (read_file(path / "etc" / "qemu.conf") != conf) {
            if (auto written = write_file(path / "etc" / "qemu.conf", conf); !written)
                return tl::unexpected(std::move(written.error()));
        }
        return Taken{path, std::move(*lock)};
    }
    return infrastructure_error(fmt::format(
        "{}: all {} roots of libvirt's embedded driver are in use", place.string(), most_roots));
}

} // namespace

Result<fs::path> choose_place(const std::vector<fs::path>& candidates, bool other_user) {
    std::string faults;
    for (const fs::path& path : candidates) {
        const auto wrong = fault(path, other_user);
        if (!wrong)
            return path;
        faults += fmt::format("\n  {} {}", path.string(), *wrong);
    }
    return infrastructure_error("there is no place for the files of virtual machines:" + faults +
                                "\nset XDG_RUNTIME_DIR to a directory of yours with a short path");
}

std::vector<fs::path> usual_places() {
    std::vector<fs::path> places = {cache_directory() / "vm"};
    if (::geteuid() == 0)
        places.emplace_back("/var/cache/kmatrix");
    if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/')
        places.push_back(fs::path(runtime) / "kmatrix");
    places.emplace_back(fmt::format("/tmp/kmatrix-{}", ::geteuid()));
    return places;
}

Result<EmbedRoot> embed_root(const fs::path& place) {
    static std::optional<Taken> taken;
    if (!taken) {
        auto root = take_root(place);
        if (!root)
            return tl::unexpected(std::move(root.error()));
        taken = std::move(*root);
    }
    return EmbedRoot{taken->path, (taken->path / "log" / "libvirt.log").string()};
}

std::string qemu_conf(const std::string& qemu_user) {
    std::string text = "# Written by kmatrix; changes are lost.\n";
    if (!qemu_user.empty())
        text += fmt::format("user = \"{0}\"\ngroup = \"{0}\"\n", qemu_user);
    text += "seccomp_sandbox = 1\n"
            // Needs no rights and no services that a bare machine or an ordinary user lacks.
            "security_driver = \"none\"\n"
            "remember_owner = 0\n"
            "cgroup_controllers = [ ]\n"
            "namespaces = [ ]\n"
            "stdio_handler = \"file\"\n";
    return text;
}

void sweep_folders(const fs::path& place) {
    std::error_code error;
    for (fs::directory_iterator entry(place / "guests", error), end; !error && entry != end;
         entry.increment(error)) {
        const auto owner = owner_in_name(entry->path().filename().string());
        std::error_code ignored;
        if (owner && !alive(*owner))
            fs::remove_all(entry->path(), ignored);
    }
}

} // namespace kmatrix::libvirt

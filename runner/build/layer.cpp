// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/layer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/command.h"
#include "base/files.h"
#include "runner/cache/work_directory.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// Relative names in mount's options: a comma or a colon in the cache's path would mean something
// there. Arguments: options, then directory and lower of each layer, "--", the command.
constexpr const char* mount_script = R"(set -e
options=$1
shift
while [ "$1" != -- ]; do
	cd "$1"
	mount --rbind "$2" lower
	mount -t overlay kmatrix -o "${options}lowerdir=lower,upperdir=upper,workdir=work" merged
	shift 2
done
shift
cd /
exec "$@")";

// What overlayfs takes for a file that is gone: a character device 0:0. Since Linux 5.8 anyone
// may make one.
bool is_whiteout(const fs::path& path) {
    struct stat info{};
    return ::lstat(path.c_str(), &info) == 0 && S_ISCHR(info.st_mode) && info.st_rdev == 0;
}

// Whether the upper says something of this path or of a directory above it that hides the lower's.
bool is_hidden(const fs::path& upper, const fs::path& relative) {
    fs::path path = upper;
    std::error_code error;
    for (const fs::path& part : relative) {
        path /= part;
        const fs::file_type type = fs::symlink_status(path, error).type();
        if (type == fs::file_type::not_found)
            return false;
        if (type != fs::file_type::directory)
            return true;
    }
    return true;
}

tl::unexpected<Error> failure(const fs::path& path, const char* what) {
    return infrastructure_error(
        fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

} // namespace

asio::awaitable<Result<Layer>> Layer::make(Kind kind, fs::path lower, fs::path directory) {
    Layer layer(kind, std::move(lower), std::move(directory));
    if (kind == Kind::overlay) {
        for (const char* name : {"lower", "upper", "work", "merged"}) {
            std::error_code error;
            fs::create_directories(layer.directory_ / name, error);
            if (error)
                co_return infrastructure_error(fmt::format(
                    "{}: cannot be made: {}", (layer.directory_ / name).string(), error.message()));
        }
        co_return layer;
    }
    Command command;
    command.argv =
        argv("cp", "-a", "--reflink=auto", layer.lower_.string(), layer.merged().string());
    std::error_code error;
    fs::create_directories(layer.directory_, error);
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return tl::unexpected(failed(command, *exit));
    co_return layer;
}

std::optional<fs::path> find_plain_file(const fs::path& root, const fs::path& relative) {
    fs::path path = root;
    std::error_code error;
    for (auto part = relative.begin(); part != relative.end(); ++part) {
        path /= *part;
        const fs::file_type type = fs::symlink_status(path, error).type();
        const bool is_last = std::next(part) == relative.end();
        if (type != (is_last ? fs::file_type::regular : fs::file_type::directory))
            return std::nullopt;
    }
    return path;
}

Result<std::string> read_plain_file(const fs::path& root, const fs::path& relative,
                                    std::uint64_t limit_bytes) {
    const auto path = find_plain_file(root, relative);
    if (!path)
        return infrastructure_error(
            fmt::format("{}: is not there, or no plain file", (root / relative).string()));
    std::error_code error;
    if (const auto size = fs::file_size(*path, error); error || size > limit_bytes)
        return infrastructure_error(
            fmt::format("{}: is larger than {} bytes", path->string(), limit_bytes));
    return read_file(*path);
}

std::optional<fs::path> Layer::find(const fs::path& relative) const {
    auto found = find_plain_file(writable(), relative);
    if (!found && kind_ == Kind::overlay && !is_hidden(writable(), relative))
        found = find_plain_file(lower_, relative);
    return found;
}

bool Layer::is_empty(const fs::path& relative) const {
    std::error_code error;
    const fs::path upper = writable() / relative;
    for (fs::directory_iterator entry(upper, error), end; !error && entry != end;
         entry.increment(error))
        if (kind_ == Kind::copy || !is_whiteout(entry->path()))
            return false;
    if (kind_ == Kind::copy)
        return true;
    for (fs::directory_iterator entry(lower_ / relative, error), end; !error && entry != end;
         entry.increment(error))
        if (!is_whiteout(upper / entry->path().filename()))
            return false;
    return true;
}

Result<void> Layer::remove(const fs::path& relative) const {
    fs::path path = relative;
    do {
        const fs::path here = writable() / path;
        std::error_code error;
        const fs::path parent = here.parent_path();
        const fs::file_type parent_type = fs::symlink_status(parent, error).type();
        // A file in the place of the directory hides what was in it.
        if (parent_type != fs::file_type::directory && parent_type != fs::file_type::not_found)
            return {};
        const fs::file_type type = fs::symlink_status(here, error).type();
        if (path == relative && type == fs::file_type::directory)
            return {}; // a directory has taken the file's place
        remove_tree(here);
        std::error_code lower_error;
        if (kind_ == Kind::overlay &&
            fs::symlink_status(lower_ / path, lower_error).type() != fs::file_type::not_found) {
            fs::create_directories(parent, error);
            if (::mknod(here.c_str(), S_IFCHR, makedev(0, 0)) != 0)
                return failure(here, "cannot be marked as removed");
        }
        path = path.parent_path();
    } while (!path.empty() && is_empty(path));
    return {};
}

std::vector<std::string> in_layers(const std::vector<Layer>& layers, bool is_root,
                                   const std::vector<std::string>& command) {
    std::vector<std::string> argv = {"unshare"};
    if (!is_root)
        argv.insert(argv.end(), {"--user", "--map-root-user"});
    argv.insert(argv.end(), {"--mount", "--propagation", "private", "sh", "-c", mount_script, "sh",
                             is_root ? "" : "userxattr,"});
    bool any = false;
    for (const Layer& layer : layers) {
        if (layer.kind() == Layer::Kind::copy)
            continue;
        any = true;
        argv.insert(argv.end(), {layer.directory().string(), layer.lower().string()});
    }
    if (!any)
        return command;
    argv.emplace_back("--");
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

asio::awaitable<Result<Layer::Kind>> probe_layers(fs::path scratch) {
    const auto work = WorkDirectory::make(scratch, "probe");
    if (!work)
        co_return tl::unexpected(work.error());
    const fs::path lower = work->path() / "below";
    if (auto written = write_file(lower / "a", "lower"); !written)
        co_return tl::unexpected(written.error());
    auto layer = co_await Layer::make(Layer::Kind::overlay, lower, work->path() / "layer");
    if (!layer)
        co_return tl::unexpected(layer.error());
    Command command;
    command.argv =
        in_layers({1, *layer}, ::geteuid() == 0,
                  argv("cp", (layer->merged() / "a").string(), (layer->merged() / "b").string()));
    auto exit = co_await run(std::move(command));
    if (!exit)
        co_return tl::unexpected(exit.error());
    co_return exit->ok() && layer->find("b") ? Layer::Kind::overlay : Layer::Kind::copy;
}

} // namespace kmatrix

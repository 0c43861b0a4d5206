// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/limits.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

// Arguments: filter, door or nothing, the command. Out of memory, the kernel is to take a compiler
// and not somebody's editor; more than that is asked of nobody who cannot give it.
constexpr const char* entering_script = R"(exec 9<"$1"
[ -z "$2" ] || { echo 0 >"$2"; } 2>/dev/null || :
{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null || :
shift 2
exec "$@")";

// cgroupfs takes a value in one write, and says in errno whether it does.
bool write_value(const fs::path& file, const std::string& value) {
    std::ofstream stream(file);
    stream << value << std::flush;
    return static_cast<bool>(stream);
}

bool has_controller(const fs::path& group, std::string_view name) {
    const auto text = read_file(group / "cgroup.subtree_control");
    if (!text)
        return false;
    for (const std::string& word : split(trim(*text), ' '))
        if (word == name)
            return true;
    return false;
}

std::vector<pid_t> group_members(const fs::path& group) {
    std::vector<pid_t> pids;
    std::ifstream stream(group / "cgroup.procs");
    for (pid_t pid = 0; stream >> pid;)
        pids.push_back(pid);
    return pids;
}

// Groups of a kmatrix that was killed; theirs are empty by now, or cannot be removed.
void sweep_groups(const fs::path& parent) {
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::vector<std::string> words = split(entry->path().filename().string(), '-');
        if (words.size() != 3 || words[0] != "kmatrix")
            continue;
        const pid_t pid = static_cast<pid_t>(std::strtol(words[1].c_str(), nullptr, 10));
        if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH)
            left.push_back(entry->path());
    }
    for (const fs::path& directory : left)
        ::rmdir(directory.c_str());
}

} // namespace

std::vector<std::string> limited(const BuildLimits& limits,
                                 const std::vector<std::string>& command) {
    std::vector<std::string> argv = {"prlimit",
                                     fmt::format("--nproc={}", limits.processes),
                                     fmt::format("--fsize={}", limits.file_bytes),
                                     fmt::format("--as={}", limits.address_bytes),
                                     fmt::format("--cpu={}", limits.cpu_s),
                                     "--core=0",
                                     "--"};
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

std::string disk_objection(const fs::path& directory, std::uint64_t floor_bytes) {
    std::error_code error;
    fs::path there = fs::absolute(directory, error);
    while (!fs::exists(there, error) && there != there.root_path())
        there = there.parent_path();
    const fs::space_info space = fs::space(there, error);
    if (error || space.available >= floor_bytes)
        return {};
    return fmt::format("only {} MiB are free in {}, and {} MiB are to stay so; make room (`kmatrix "
                       "cache --trim 5GB` removes what kmatrix keeps)",
                       space.available >> 20, there.string(), floor_bytes >> 20);
}

std::vector<fs::path> group_parents(const std::string& cgroups, const fs::path& mount) {
    std::vector<fs::path> parents;
    for (const std::string& line : split(cgroups, '\n')) {
        const std::size_t colon = line.find(':', line.find(':') + 1);
        if (colon == std::string::npos)
            continue;
        const std::string controllers = line.substr(line.find(':') + 1, colon - line.find(':') - 1);
        fs::path path = fs::path(line.substr(colon + 1)).relative_path();
        if (controllers == "pids") {
            parents.push_back(mount / "pids" / path);
            continue;
        }
        if (!line.starts_with("0::"))
            continue;
        // A group that holds processes hands no controllers on, so that ours is no candidate.
        while (!path.empty()) {
            path = path.parent_path();
            parents.push_back(path.empty() ? mount : mount / path);
        }
    }
    return parents;
}

BuildGroup BuildGroup::make(const BuildLimits& limits) {
    static int number = 0;
    const auto cgroups = read_file("/proc/self/cgroup");
    if (!cgroups)
        return BuildGroup({});
    for (const fs::path& parent : group_parents(*cgroups, "/sys/fs/cgroup")) {
        std::error_code error;
        const bool is_v2 = fs::exists(parent / "cgroup.controllers", error);
        if (is_v2 && !has_controller(parent, "pids"))
            continue;
        sweep_groups(parent);
        const fs::path directory = parent / fmt::format("kmatrix-{}-{}", ::getpid(), ++number);
        if (::mkdir(directory.c_str(), 0755) != 0)
            continue;
        BuildGroup group(directory);
        if (write_value(directory / "pids.max", fmt::format("{}", limits.processes)))
            return group;
    }
    return BuildGroup({});
}

BuildGroup::BuildGroup(BuildGroup&& other) noexcept
    : directory_(std::exchange(other.directory_, {})) {}

BuildGroup::~BuildGroup() {
    if (directory_.empty())
        return;
    // A process that was killed is a member until it is reaped.
    constexpr int most_tries = 200;
    for (int tries = 0; tries < most_tries && ::rmdir(directory_.c_str()) != 0 && errno == EBUSY;
         ++tries) {
        for (const pid_t pid : group_members(directory_))
            ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

fs::path BuildGroup::door() const {
    return directory_.empty() ? fs::path() : directory_ / "cgroup.procs";
}

std::vector<std::string> entering(const fs::path& door, const fs::path& filter,
                                  const std::vector<std::string>& command) {
    std::vector<std::string> argv = {"sh",         "-c", entering_script, "sh", filter.string(),
                                     door.string()};
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

} // namespace kmatrix

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/sandbox.h"

#include <array>

#include <fmt/format.h>

namespace kmatrix {
namespace {

// The same in every build on every machine. kbuild puts time, user, host and version into the
// kernel; an empty LOCALVERSION keeps it from asking git.
constexpr std::array fixed_environment = {
    "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    "HOME=/tmp",
    "LC_ALL=C",
    "TZ=UTC",
    "KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 2026",
    "KBUILD_BUILD_USER=kmatrix",
    "KBUILD_BUILD_HOST=kmatrix",
    "KBUILD_BUILD_VERSION=1",
    "LOCALVERSION=",
};

// What compilers, linkers and scripts of the host need, and no more. Debian's awk, yacc and others
// are links by way of /etc/alternatives.
constexpr std::array host_directories = {"/usr", "/bin", "/sbin", "/lib"};
constexpr std::array host_if_there = {
    "/lib64",           "/lib32",          "/libx32",           "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ssl/openssl.cnf"};

} // namespace

std::vector<std::string> sandbox_argv(const Sandbox& sandbox,
                                      const std::vector<std::string>& command) {
    std::vector<std::string> argv = {"bwrap",
                                     "--unshare-user",
                                     "--unshare-pid",
                                     "--unshare-net",
                                     "--unshare-ipc",
                                     "--unshare-uts",
                                     "--unshare-cgroup-try",
                                     "--uid",
                                     "1000",
                                     "--gid",
                                     "1000",
                                     "--hostname",
                                     "kmatrix",
                                     "--cap-drop",
                                     "ALL",
                                     "--die-with-parent",
                                     "--new-session",
                                     "--seccomp",
                                     filter_descriptor,
                                     "--clearenv"};
    const auto add = [&](std::initializer_list<std::string> words) {
        argv.insert(argv.end(), words);
    };
    for (const char* directory : host_directories)
        add({"--ro-bind", directory, directory});
    for (const char* path : host_if_there)
        add({"--ro-bind-try", path, path});
    const std::string temporary_bytes = fmt::format("{}", sandbox.limits.temporary_bytes);
    add({"--proc", "/proc", "--dev", "/dev", "--size", temporary_bytes, "--tmpfs", "/tmp"});
    add({sandbox.source_writable ? "--bind" : "--ro-bind", sandbox.source.string(), "/src"});
    add({"--bind", sandbox.output.string(), "/build"});
    for (const Bind& bind : sandbox.binds)
        add({bind.writable ? "--bind" : "--ro-bind", bind.from.string(), bind.to.string()});
    // Two are memory without a limit, and writable where nothing says otherwise. The third would
    // let root's builds set the sysctls of the host: whoever is root outside may write them,
    // without any capability (fs/proc/proc_sysctl.c, test_perm()).
    add({"--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"});
    const auto set = [&](const std::string& variable) {
        const std::size_t equals = variable.find('=');
        add({"--setenv", variable.substr(0, equals), variable.substr(equals + 1)});
    };
    for (const char* variable : fixed_environment)
        set(variable);
    for (const std::string& variable : sandbox.environment)
        set(variable);
    add({"--chdir", "/build", "--"});
    const std::vector<std::string> limited_command = limited(sandbox.limits, command);
    argv.insert(argv.end(), limited_command.begin(), limited_command.end());
    return argv;
}

} // namespace kmatrix

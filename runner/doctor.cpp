// SPDX-License-Identifier: GPL-2.0-only
#include "runner/doctor.h"

#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <boost/process/v2/environment.hpp>
#include <fmt/format.h>

#include "base/command.h"
#include "base/files.h"
#include "images/guest_files.h"
#include "runner/build/limits.h"
#include "runner/host.h"
#include "runner/vm/libvirt/qemu_user.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;

struct Tool {
    const char* program;
    const char* package;
    bool needed;
    const char* what_for;
};

constexpr Tool tools[] = {
    {"git", "git", true, "applies series"},
    {"b4", "b4", false, "fetches a series by its Message-ID"},
    {"bwrap", "bubblewrap", true, "the sandbox that patches are built in"},
    {"make", "make", true, "builds kernels"},
    {"gcc", "gcc", true, "builds x86_64 kernels"},
    {"aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu", true, "builds arm64 kernels"},
    {"clang-19", "clang-19", false, "compiler = \"clang\""},
    {"ld.lld-19", "lld-19", false, "compiler = \"clang\""},
    {"bison", "bison", true, "kernel build"},
    {"flex", "flex", true, "kernel build"},
    {"bc", "bc", true, "kernel build"},
    {"lz4", "lz4", true, "packs x86_64 kernels"},
    {"rsync", "rsync", true, "installs kernel headers and selftests"},
    {"qemu-system-x86_64", "qemu-system-x86", true, "boots x86_64"},
    {"qemu-system-aarch64", "qemu-system-arm", true, "boots arm64"},
    {"gnuplot", "gnuplot-nox", false, "draws the pictures of report.html"},
    {"ccache", "ccache", false, "makes later builds faster"},
};

Diagnosis tool(const Tool& tool) {
    const auto found = boost::process::v2::environment::find_executable(tool.program);
    if (!found.empty())
        return {fmt::format("{} ({})", tool.program, tool.what_for), Health::good, {}};
    return {fmt::format("{}: not in PATH ({})", tool.program, tool.what_for),
            tool.needed ? Health::missing : Health::optional,
            fmt::format("apt-get install {}", tool.package)};
}

Diagnosis libvirt_driver() {
    constexpr const char* driver =
        "/usr/lib/x86_64-linux-gnu/libvirt/connection-driver/libvirt_driver_qemu.so";
    constexpr const char* arm_driver =
        "/usr/lib/aarch64-linux-gnu/libvirt/connection-driver/libvirt_driver_qemu.so";
    if (fs::exists(driver) || fs::exists(arm_driver))
        return {"libvirt's QEMU driver", Health::good, {}};
    return {"libvirt's QEMU driver is not installed (qemu:///embed needs it)", Health::missing,
            "apt-get install libvirt-daemon libvirt-daemon-system"};
}

Diagnosis sandbox() {
    Command command;
    command.argv = {"bwrap", "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true"};
    const auto exit = run_blocking(command);
    if (exit && exit->ok())
        return {"user namespaces (bubblewrap makes a sandbox)", Health::good, {}};
    const std::string why = exit ? failed(command, *exit).output_tail : exit.error().message;
    return {fmt::format("bubblewrap cannot make a sandbox: {}", why), Health::missing,
            "sysctl kernel.unprivileged_userns_clone=1; a container must be allowed to make user "
            "namespaces"};
}

Diagnosis kvm() {
    const int fd = ::open("/dev/kvm", O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        ::close(fd);
        return {fmt::format("/dev/kvm opens; whether it runs a kernel is found out by the first "
                            "boot on {}",
                            to_string(host_arch())),
                Health::good,
                {}};
    }
    return {"/dev/kvm cannot be opened: every guest will be emulated", Health::optional,
            "adduser $USER kvm; or enable virtualisation in the firmware"};
}

Diagnosis disk() {
    std::error_code error;
    fs::path place = cache_directory();
    while (!fs::exists(place, error) && place.has_relative_path())
        place = place.parent_path();
    const fs::space_info space = fs::space(place, error);
    const double free_gib = static_cast<double>(space.available) / (1ull << 30);
    const std::string what =
        fmt::format("{:.0f} GiB free for the cache in {}", free_gib, cache_directory().string());
    if (!error && free_gib >= 20)
        return {what, Health::good, {}};
    return {what + "; a run with both architectures takes about 10",
            free_gib >= 10 ? Health::optional : Health::missing,
            "free some, kmatrix cache --trim 5GB, or set XDG_CACHE_HOME"};
}

Diagnosis memory() {
    const int mib = host_memory_mib();
    if (mib >= 4096)
        return {fmt::format("{} MiB of memory available", mib), Health::good, {}};
    return {fmt::format("{} MiB of memory available: a guest of 2 GiB may not fit", mib),
            Health::optional, "set [vm] memory in the matrix file"};
}

Diagnosis guest_pieces(Arch arch) {
    if (auto files = find_guest_files(arch); !files)
        return {files.error().message, Health::missing, "tools/fetch-guest"};
    return {fmt::format("programs for {} guests", to_string(arch)), Health::good, {}};
}

// What SECURITY.md does not promise on every machine.
Diagnosis process_limit() {
    if (::geteuid() != 0 || !BuildGroup::make({}).door().empty())
        return {"a build's processes have a limit", Health::good, {}};
    return {"a build's processes have no limit: root has none, and no cgroup can be made here",
            Health::optional, "run kmatrix as an ordinary user"};
}

Diagnosis emulators_user() {
    if (libvirt::qemu_user() != "root")
        return {"QEMU runs unprivileged", Health::good, {}};
    return {"QEMU runs as root, since only root may open /dev/kvm", Health::optional,
            "run kmatrix as an ordinary user, or adduser libvirt-qemu kvm"};
}

} // namespace

std::vector<Diagnosis> diagnose() {
    std::vector<Diagnosis> all;
    for (const Tool& one : tools)
        all.push_back(tool(one));
    all.push_back(libvirt_driver());
    all.push_back(sandbox());
    all.push_back(process_limit());
    all.push_back(emulators_user());
    all.push_back(kvm());
    all.push_back(disk());
    all.push_back(memory());
    for (const Arch arch : {Arch::x86_64, Arch::arm64})
        all.push_back(guest_pieces(arch));
    return all;
}

} // namespace kmatrix

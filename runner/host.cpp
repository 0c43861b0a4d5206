// SPDX-License-Identifier: GPL-2.0-only
#include "runner/host.h"

#include <fstream>

#include <fcntl.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "runner/vm/accel.h"

namespace kmatrix {
namespace {

// The value of "NAME : value" in a file of /proc.
std::string proc_value(const char* file, const std::string& name) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(name) && line.find(':') != std::string::npos)
            return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
    return "";
}

bool kvm_opens() {
    const int fd = ::open("/dev/kvm", O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        ::close(fd);
    return fd >= 0;
}

} // namespace

int host_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int host_memory_mib() {
    const std::string available = proc_value("/proc/meminfo", "MemAvailable");
    return available.empty() ? 1024 : std::stoi(available) / 1024;
}

std::string host_cpu() {
    const std::string model = proc_value("/proc/cpuinfo", "model name");
    return model.empty() ? "unknown CPU" : model;
}

Arch host_arch() {
    utsname name{};
    ::uname(&name);
    return std::string_view(name.machine) == "aarch64" ? Arch::arm64 : Arch::x86_64;
}

Host this_host(const Matrix& matrix) {
    Host host;
    host.cpus = host_cpus();
    for (const Arch arch : {Arch::x86_64, Arch::arm64})
        if (arch != host_arch() || matrix.vm.accel == Accel::tcg ||
            (matrix.vm.accel == Accel::automatic && (!kvm_opens() || kvm_known_bad(this_host()))))
            host.emulated.insert(arch);
    return host;
}

} // namespace kmatrix

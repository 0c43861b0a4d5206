// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/host.h"

#include <sched.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix::libvirt {

std::string cpu_name(std::string_view cpuinfo) {
    for (const std::string& line : split(cpuinfo, '\n'))
        if (const std::size_t colon = line.find(':');
            colon != std::string::npos && trim(line.substr(0, colon)) == "model name")
            return std::string(trim(line.substr(colon + 1)));
    return {};
}

int cpu_count() {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (::sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        return CPU_COUNT(&cpus);
    return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)); // more than cpu_set_t holds
}

std::string version_text(unsigned long version) {
    return fmt::format("{}.{}.{}", version / 1'000'000, version / 1'000 % 1'000, version % 1'000);
}

} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
// The host, as results name it.
#pragma once

#include <string>
#include <string_view>

namespace kmatrix::libvirt {

// The CPU's name in /proc/cpuinfo's text; empty: it has none (arm64).
std::string cpu_name(std::string_view cpuinfo);
// CPUs that this process may run on.
int cpu_count();
// libvirt's version numbers, major * 1,000,000 + minor * 1,000 + release, as "7.2.22".
std::string version_text(unsigned long version);

} // namespace kmatrix::libvirt

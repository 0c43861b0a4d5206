// SPDX-License-Identifier: GPL-2.0-only
// Whom QEMU runs as in the embedded driver.
#pragma once

#include <filesystem>
#include <string>

namespace kmatrix::libvirt {

// Whether a user may read and write a file by its owner, group and mode. False: there is no such
// user or file.
bool may_use(const std::string& user, const std::filesystem::path& file);

// Empty where kmatrix is an ordinary user's: QEMU is then too. For root "libvirt-qemu", which
// Debian's libvirt-daemon-system makes; but "root" where only root may open /dev/kvm, as in some
// containers. There libvirt 9.0 would probe its emulators, with the right to open anything, find
// KVM, then find that libvirt-qemu may not use it, distrust what it knows, and probe again at each
// start of a guest: 12 s on an idle machine. (virQEMUCapsIsValid and virQEMUCapsProbe, as it logs
// them.) QEMU has no capabilities and a seccomp filter then as well.
std::string qemu_user();

} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/qemu_user.h"

#include <algorithm>
#include <vector>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kmatrix::libvirt {
namespace {

constexpr const char* unprivileged = "libvirt-qemu";
constexpr const char* kvm = "/dev/kvm";

std::vector<gid_t> groups_of(const passwd& user) {
    std::vector<gid_t> groups(64);
    int count = static_cast<int>(groups.size());
    while (::getgrouplist(user.pw_name, user.pw_gid, groups.data(), &count) < 0)
        groups.resize(static_cast<std::size_t>(count));
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

} // namespace

bool may_use(const std::string& name, const std::filesystem::path& file) {
    const passwd* user = ::getpwnam(name.c_str());
    struct stat state{};
    if (!user || ::stat(file.c_str(), &state) != 0)
        return false;
    if (user->pw_uid == 0)
        return true;
    const auto both = [&](mode_t bits) { return (state.st_mode & bits) == bits; };
    if (state.st_uid == user->pw_uid)
        return both(S_IRUSR | S_IWUSR);
    const std::vector<gid_t> groups = groups_of(*user);
    if (std::find(groups.begin(), groups.end(), state.st_gid) != groups.end())
        return both(S_IRGRP | S_IWGRP);
    return both(S_IROTH | S_IWOTH);
}

std::string qemu_user() {
    if (::geteuid() != 0)
        return "";
    const bool closed = ::access(kvm, F_OK) == 0 && !may_use(unprivileged, kvm);
    return closed ? "root" : unprivileged;
}

} // namespace kmatrix::libvirt

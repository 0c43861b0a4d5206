// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/syscall_filter.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kmatrix {
namespace {

// Names, because some exist on one architecture alone.
constexpr std::array refused_calls = {
    // mounts and namespaces
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns",
    // file handles go past paths
    "name_to_handle_at", "open_by_handle_at",
    // machinery of the kernel that much has been wrong with
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "fanotify_init", "lookup_dcookie", "vmsplice",
    "nfsservctl", "uselib", "modify_ldt", "vm86", "vm86old",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise",
    // the machine
    "init_module", "finit_module", "delete_module", "create_module", "query_module",
    "get_kernel_syms", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct",
    "quotactl", "quotactl_fd", "syslog", "settimeofday", "clock_settime", "clock_adjtime",
    "adjtimex", "stime", "iopl", "ioperm", "vhangup", "sethostname", "setdomainname"};

constexpr std::array namespace_flags = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                        CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

// And all above AF_INET6: left are AF_UNIX, AF_INET and AF_INET6.
constexpr std::array refused_families = {AF_UNSPEC, AF_AX25,   AF_IPX,    AF_APPLETALK,
                                         AF_NETROM, AF_BRIDGE, AF_ATMPVC, AF_X25};

struct ReleaseFilter {
    void operator()(void* context) const { seccomp_release(context); }
};
using BpfFilter = std::unique_ptr<void, ReleaseFilter>;

// False: libseccomp refused the rule.
bool add_rule(const BpfFilter& filter, int number, int error) {
    return seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                  number, 0, nullptr) == 0;
}

bool add_rule(const BpfFilter& filter, int number, int error, const scmp_arg_cmp& when) {
    return seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                  number, 1, &when) == 0;
}

bool add_filter_rules(const BpfFilter& filter) {
    bool good = true;
    for (const char* name : refused_calls) {
        const int number = seccomp_syscall_resolve_name(name);
        // Negative: this architecture has none of that name.
        good = good && (number < 0 || add_rule(filter, number, EPERM));
    }
    // glibc then falls back on clone, whose flags can be seen.
    good = good && add_rule(filter, SCMP_SYS(clone3), ENOSYS);
    for (const scmp_datum_t flag : namespace_flags)
        good =
            good && add_rule(filter, SCMP_SYS(clone), EPERM, {0, SCMP_CMP_MASKED_EQ, flag, flag});
    // The kernel looks at the lower half alone.
    for (const scmp_datum_t request : {TIOCSTI, TIOCLINUX})
        good = good && add_rule(filter, SCMP_SYS(ioctl), EPERM,
                                {1, SCMP_CMP_MASKED_EQ, 0xffffffff, request});
    // A virtual machine's host (AF_VSOCK) is in reach whatever the network namespace.
    for (const scmp_datum_t family : refused_families)
        good =
            good && add_rule(filter, SCMP_SYS(socket), EAFNOSUPPORT, {0, SCMP_CMP_EQ, family, 0});
    return good && add_rule(filter, SCMP_SYS(socket), EAFNOSUPPORT,
                            {0, SCMP_CMP_GT, scmp_datum_t{AF_INET6}, 0});
}

Result<int> make_filter() {
    const BpfFilter filter(seccomp_init(SCMP_ACT_ALLOW));
    const int fd = ::memfd_create("kmatrix-filter", MFD_CLOEXEC);
    if (fd < 0)
        return infrastructure_error(fmt::format(
            "the file of the builds' system call filter cannot be made: {}", std::strerror(errno)));
    if (!filter || !add_filter_rules(filter) || seccomp_export_bpf(filter.get(), fd) != 0) {
        ::close(fd);
        return infrastructure_error("libseccomp makes no system call filter for builds on this "
                                    "architecture");
    }
    return fd;
}

} // namespace

Result<std::filesystem::path> syscall_filter() {
    static const Result<int> fd = make_filter();
    if (!fd)
        return tl::unexpected(fd.error());
    return std::filesystem::path(fmt::format("/proc/{}/fd/{}", ::getpid(), *fd));
}

} // namespace kmatrix

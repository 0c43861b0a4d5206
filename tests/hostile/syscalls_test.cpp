// SPDX-License-Identifier: GPL-2.0-only
// What a build may not ask of the kernel: a child under the filter tries it. (Where bubblewrap puts
// the filter, it has no capabilities either; here it may have them all, so that only the filter can
// refuse.)
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/build/syscall_filter.h"

namespace kmatrix {
namespace {

using Call = long (*)();

// The errno of the call under the filter; 0: it succeeded; -1: the child was killed.
int under_filter(Call call) {
    const auto path = syscall_filter();
    if (!path)
        return -2;
    std::string code = read_file(*path).value_or("");
    const pid_t child = ::fork();
    if (child == 0) {
        sock_fprog program{static_cast<unsigned short>(code.size() / sizeof(sock_filter)),
                           reinterpret_cast<sock_filter*>(code.data())};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
            ::_exit(255);
        errno = 0;
        ::_exit(call() >= 0 ? 0 : errno);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HostileSyscalls, AreRefused) {
    const std::pair<const char*, Call> calls[] = {
        {"unshare", [] { return long{::unshare(CLONE_NEWUSER)}; }},
        {"setns", [] { return long{::setns(0, 0)}; }},
        {"clone", [] { return ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }},
        {"mount", [] { return ::syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, 0); }},
        {"fsopen", [] { return ::syscall(SYS_fsopen, "tmpfs", 0); }},
        {"keyctl", [] { return ::syscall(SYS_keyctl, 0, -3, 0); }},
        {"add_key", [] { return ::syscall(SYS_add_key, "user", "x", "x", 1, -3); }},
        {"bpf", [] { return ::syscall(SYS_bpf, 0, nullptr, 0); }},
        {"perf_event_open", [] { return ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
        {"userfaultfd", [] { return ::syscall(SYS_userfaultfd, 0); }},
        {"io_uring_setup", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
        {"ptrace", [] { return ::syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0); }},
        {"process_vm_readv",
         [] { return ::syscall(SYS_process_vm_readv, ::getppid(), nullptr, 0, nullptr, 0, 0); }},
        {"init_module", [] { return ::syscall(SYS_init_module, nullptr, 0, ""); }},
        {"kexec_load", [] { return ::syscall(SYS_kexec_load, 0, 0, nullptr, 0); }},
        {"open_by_handle_at", [] { return ::syscall(SYS_open_by_handle_at, -1, nullptr, 0); }},
        {"TIOCSTI",
         [] {
             char c = 'x';
             return long{::ioctl(0, TIOCSTI, &c)};
         }},
        {"TIOCSTI with bits above",
         [] { return ::syscall(SYS_ioctl, 0, TIOCSTI | (1ul << 40), 0); }},
    };
    for (const auto& [name, call] : calls)
        EXPECT_EQ(under_filter(call), EPERM) << name;
}

TEST(HostileSyscalls, SocketsReachNothingButUnixAndIp) {
    const std::pair<const char*, Call> refused[] = {
        {"vsock", [] { return long{::socket(AF_VSOCK, SOCK_STREAM, 0)}; }},
        {"netlink", [] { return long{::socket(AF_NETLINK, SOCK_RAW, 0)}; }},
        {"packet", [] { return long{::socket(AF_PACKET, SOCK_RAW, 0)}; }},
        {"alg", [] { return long{::socket(AF_ALG, SOCK_SEQPACKET, 0)}; }},
        {"bits above", [] { return ::syscall(SYS_socket, AF_INET | (1ul << 40), SOCK_STREAM, 0); }},
    };
    for (const auto& [name, call] : refused)
        EXPECT_EQ(under_filter(call), EAFNOSUPPORT) << name;
    EXPECT_EQ(under_filter([] { return long{::socket(AF_UNIX, SOCK_STREAM, 0)}; }), 0);
    EXPECT_EQ(under_filter([] { return long{::socket(AF_INET, SOCK_STREAM, 0)}; }), 0);
}

TEST(HostileSyscalls, WhatABuildNeedsIsLeft) {
    EXPECT_EQ(under_filter([] { return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }), 0);
    EXPECT_EQ(under_filter([] { return long{::open("/dev/null", O_WRONLY)}; }), 0);
    EXPECT_EQ(under_filter([] { return ::syscall(SYS_clone3, nullptr, 0); }), ENOSYS);
#ifdef __x86_64__
    // int $0x80 is i386's getpid: a foreign architecture.
    EXPECT_EQ(under_filter([] {
                  long result = 20;
                  __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
                  return result;
              }),
              -1);
#endif
}

} // namespace
} // namespace kmatrix

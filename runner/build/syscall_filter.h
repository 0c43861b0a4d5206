// SPDX-License-Identifier: GPL-2.0-only
// The system calls that a build has no use for, and that reach far into the kernel of the host: it
// gets an error for them, and so can say what it tried.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace kmatrix {

// A file with the filter as bubblewrap's --seccomp takes it, made once for this process by
// libseccomp: mounts and namespaces, the keyring, BPF, perf, userfaultfd, io_uring, other processes
// (ptrace, process_vm_*), modules, kexec, clocks, file handles, sockets other than those of the
// Unix and IP families, and ioctls that type into a terminal. Programs of a foreign architecture
// (i386, x32) are killed. The path is in /proc and can be opened as long as this process lives.
Result<std::filesystem::path> syscall_filter();

} // namespace kmatrix

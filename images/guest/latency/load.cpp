// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/load.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace kmatrix::guest {
namespace {

constexpr std::size_t read_bytes = std::size_t{128} << 10;

tl::unexpected<std::string> error_here(const std::string& what) {
    return tl::unexpected(what + ": " + std::strerror(errno));
}

struct OpenFile {
    explicit OpenFile(const std::string& path) : fd(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (fd >= 0) {
            close(fd);
        }
    }
    int fd;
};

// One read of the open file from its start to its end. Bytes are counted as they come, so that a
// read that takes longer than the sample is seen to go on. False: stopped before the end.
Expected<bool> pread_whole(int fd, std::vector<char>& buffer, Tally& tally,
                           const std::atomic<bool>& stop) {
    off_t offset = 0;
    while (!stop.load(std::memory_order_relaxed)) {
        const ssize_t got = pread(fd, buffer.data(), buffer.size(), offset);
        if (got < 0) {
            return error_here("cannot read");
        }
        if (got == 0) {
            if (offset == 0) {
                return tl::unexpected(std::string("read 0 bytes"));
            }
            return true;
        }
        offset += got;
        tally.bytes += static_cast<std::uint64_t>(got);
    }
    return false;
}

// In the exec'ing child: this program again, as a reader.
[[noreturn]] void become_reader(const std::string& file, int output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output, STDOUT_FILENO);
    const std::array<const char*, 4> argv{"procfs-latency", "read", file.c_str(), nullptr};
    execv("/proc/self/exe", const_cast<char* const*>(argv.data()));
    _exit(126);
}

// One read by a fresh process; the bytes that it says it has read.
Expected<std::size_t> exec_whole(const std::string& file) {
    std::array<int, 2> output{-1, -1};
    if (pipe2(output.data(), O_CLOEXEC) != 0) {
        return error_here("pipe");
    }
    const pid_t pid = fork();
    if (pid == 0) {
        become_reader(file, output[1]);
    }
    close(output[1]);
    std::string said;
    std::array<char, 256> buffer;
    ssize_t got = 0;
    while (pid > 0 && (got = read(output[0], buffer.data(), buffer.size())) > 0) {
        said.append(buffer.data(), static_cast<std::size_t>(got));
    }
    close(output[0]);
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        return error_here("cannot start a reader");
    }
    const std::size_t bytes = std::strtoull(said.c_str(), nullptr, 10);
    if (status != 0 || bytes == 0) {
        return tl::unexpected("got nothing from its reader (wait status " + std::to_string(status) +
                              ", it said \"" + said + "\")");
    }
    return bytes;
}

} // namespace

Expected<std::size_t> read_whole(const std::string& file) {
    const OpenFile opened(file);
    if (opened.fd < 0) {
        return error_here("cannot open " + file);
    }
    std::vector<char> buffer(read_bytes);
    std::size_t total = 0;
    ssize_t got = 0;
    while ((got = read(opened.fd, buffer.data(), buffer.size())) > 0) {
        total += static_cast<std::size_t>(got);
    }
    if (got < 0) {
        return error_here("cannot read " + file);
    }
    return total;
}

void run_scanner(const std::string& file, ScannerStyle style, std::size_t index,
                 const SharedState& shared, const ChildPort& port) {
    Tally& tally = shared.scanners[index];
    const std::atomic<bool>& stop = shared.stop[0];
    std::vector<char> buffer(read_bytes);
    const OpenFile opened(file); // in the exec style, too: it proves that the file is there
    if (opened.fd < 0) {
        port.fail("cannot open " + file + ": " + std::strerror(errno));
    }
    while (!stop.load(std::memory_order_relaxed)) {
        if (style == ScannerStyle::exec) {
            const auto bytes = exec_whole(file);
            if (!bytes) {
                port.fail(bytes.error());
            }
            tally.bytes += *bytes;
        } else {
            const auto whole = pread_whole(opened.fd, buffer, tally, stop);
            if (!whole) {
                port.fail(whole.error() + " of " + file);
            }
            if (!*whole) {
                break;
            }
        }
        tally.cpu = sched_getcpu();
        if (tally.rounds.fetch_add(1) == 0) {
            port.say("running");
        }
    }
}

void run_busy_task(int busyduration_ms, std::size_t index, const SharedState& shared,
                   const ChildPort& port) {
    const auto now_us = [] {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
    };
    Tally& tally = shared.busy[index];
    const std::int64_t busy_us = busyduration_ms == 0 ? 1000 : busyduration_ms * std::int64_t{1000};
    while (!shared.stop[0].load(std::memory_order_relaxed)) {
        const std::int64_t end = now_us() + busy_us;
        while (now_us() < end) {
        }
        tally.cpu = sched_getcpu();
        if (tally.rounds.fetch_add(1) == 0) {
            port.say("running");
        }
        if (busyduration_ms != 0) {
            poll(nullptr, 0, 1);
        }
    }
}

} // namespace kmatrix::guest

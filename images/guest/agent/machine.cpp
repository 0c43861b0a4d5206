// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/machine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "images/guest/agent/processes.h"
#include "images/protocol.h"

namespace kmatrix::guest {
namespace {

namespace fs = std::filesystem;

struct Mount {
    const char* type;
    const char* target;
    const char* options;
    bool required;
};

constexpr std::array mounts{
    Mount{"proc", "/proc", nullptr, true},
    Mount{"sysfs", "/sys", nullptr, true},
    Mount{"devpts", "/dev/pts", "mode=0620,ptmxmode=0666", true},
    Mount{"tmpfs", "/dev/shm", "mode=1777", true},
    Mount{"tmpfs", "/tmp", "mode=1777", true},
    Mount{"tmpfs", "/run", "mode=0755", true},
    Mount{"debugfs", "/sys/kernel/debug", nullptr, false},
    Mount{"tracefs", "/sys/kernel/tracing", nullptr, false},
    Mount{"securityfs", "/sys/kernel/security", nullptr, false},
    Mount{"cgroup2", "/sys/fs/cgroup", nullptr, false},
};

// True if it is mounted now, by this call or before.
bool mount_at(const Mount& wanted) {
    std::error_code error;
    fs::create_directories(wanted.target, error);
    return mount(wanted.type, wanted.target, wanted.type, 0, wanted.options) == 0 || errno == EBUSY;
}

std::string name_of_signal(int signal) {
    const char* name = sigabbrev_np(signal);
    return name == nullptr ? std::to_string(signal) : std::string("SIG") + name;
}

void on_own_crash(int signal) {
    if (getpid() != 1) {
        _exit(128 + signal); // a child between fork and exec
    }
    say_on_console("crashed by this signal, powering off:");
    say_on_console(name_of_signal(signal).c_str());
    reboot(RB_POWER_OFF);
    for (;;) {
        pause();
    }
}

} // namespace

void prepare_console() {
    if (!mount_at({"devtmpfs", "/dev", "mode=0755", true})) {
        mknod("/dev/console", S_IFCHR | 0600, makedev(5, 1));
        mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
    }
    const int console = open("/dev/console", O_RDWR | O_NOCTTY);
    if (console < 0) {
        return;
    }
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(console, fd);
    }
    if (console > STDERR_FILENO) {
        close(console);
    }
}

void say_on_console(const char* message) {
    const char* const start = "kmatrix-agent: ";
    if (write(STDOUT_FILENO, start, std::strlen(start)) < 0 ||
        write(STDOUT_FILENO, message, std::strlen(message)) < 0 ||
        write(STDOUT_FILENO, "\n", 1) < 0) {
        return; // there is no other place to say it
    }
}

std::vector<std::string> mount_file_systems() {
    std::vector<std::string> failed;
    for (const Mount& wanted : mounts) {
        if (!mount_at(wanted) && wanted.required) {
            failed.push_back(std::string("cannot mount ") + wanted.type + " on " + wanted.target +
                             ": " + std::strerror(errno));
        }
    }
    return failed;
}

void install_busybox() {
    if (fs::exists("/bin/busybox")) {
        output_of({"/bin/busybox", "--install", "-s", "/bin"});
    }
}

bool shell_is_asked_for() {
    std::string cmdline = read_file("/proc/cmdline");
    char* rest = nullptr;
    for (const char* word = strtok_r(cmdline.data(), " \n", &rest); word != nullptr;
         word = strtok_r(nullptr, " \n", &rest)) {
        if (std::strcmp(word, protocol::shell_word) == 0) {
            return true;
        }
    }
    return false;
}

void become_shell() {
    setsid();
    ioctl(STDIN_FILENO, TIOCSCTTY, 1);
    say_on_console("a shell, as the kernel command line asks for; `poweroff -f` ends it");
    execl("/bin/sh", "sh", nullptr);
    say_on_console("there is no /bin/sh");
    power_off();
}

Expected<Fd> open_port(const std::string& name, std::chrono::milliseconds limit) {
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    std::string last = "no port has this name in /sys/class/virtio-ports; is "
                       "CONFIG_VIRTIO_CONSOLE built in, and the channel in the machine?";
    for (;;) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator("/sys/class/virtio-ports", error)) {
            std::string found = read_file(entry.path() / "name");
            std::erase(found, '\n');
            if (found != name) {
                continue;
            }
            const fs::path device = "/dev" / entry.path().filename();
            Fd port(open(device.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
            if (port.is_open()) {
                return port;
            }
            last = "cannot open " + device.string() + ": " + std::strerror(errno);
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            std::string message = "no way to the host by port ";
            message.append(name).append(": ").append(last);
            return tl::unexpected(message);
        }
        std::this_thread::sleep_for(10ms);
    }
}

std::vector<std::string>
set_sysctls(const std::vector<std::pair<std::string, std::string>>& sysctls) {
    std::vector<std::string> messages;
    for (const auto& [name, value] : sysctls) {
        std::string path = name;
        std::replace(path.begin(), path.end(), '.', '/');
        if (!write_file("/proc/sys/" + path, value)) {
            const int why = errno;
            std::string message = "sysctl ";
            message.append(name).append(" = ").append(value).append(" cannot be set: ");
            messages.push_back(message.append(std::strerror(why)));
        }
    }
    return messages;
}

void power_off() {
    sync();
    reboot(RB_POWER_OFF);
    say_on_console("this machine cannot be powered off");
    for (;;) {
        pause();
    }
}

void catch_own_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
        struct sigaction action{};
        action.sa_handler = on_own_crash;
        sigaction(signal, &action, nullptr);
    }
}

} // namespace kmatrix::guest

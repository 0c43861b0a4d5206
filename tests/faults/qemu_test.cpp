// SPDX-License-Identifier: GPL-2.0-only
// The real QEMU under libvirt with a guest of a few instructions instead of a kernel: one that says
// nothing, one that prints for ever, one whose QEMU is stopped or killed.
#include <csignal>
#include <fstream>
#include <thread>

#include <boost/asio.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "runner/vm/boot.h"
#include "runner/vm/guardian.h"
#include "runner/vm/guests.h"
#include "runner/vm/libvirt/hypervisor.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::HasSubstr;

// A Multiboot kernel (version 0.6.96 of its specification: three words of header, 32-bit protected
// mode) that writes `byte` to the first serial port, `times` times, 0 for ever, and then waits.
constexpr const char* assembly = R"(
    .section .text
    .globl _start
    .align 4
    .long 0x1BADB002, 0, -0x1BADB002
_start:
    cli
    mov $TIMES, %ecx
    mov $0x3f8, %dx
next:
    mov $BYTE, %al
    out %al, %dx
    test %ecx, %ecx
    jz next
    loop next
wait:
    hlt
    jmp wait
)";

// The process of this process's emulators; 0: there is none.
pid_t emulator() {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const auto line = read_file(entry.path() / "cmdline");
        if (!line)
            continue;
        const auto owner = owner_in_name(guest_in_arguments(*line));
        if (owner && *owner == this_process())
            return static_cast<pid_t>(std::atoi(entry.path().filename().c_str()));
    }
    return 0;
}

class RealQemu : public testing::Test {
  protected:
    RealQemu() {
        std::string name = (fs::temp_directory_path() / "kmatrix-qemu-XXXXXX").string();
        directory_ = ::mkdtemp(name.data());
    }
    ~RealQemu() override { fs::remove_all(directory_); }

    fs::path kernel(char byte, unsigned times) const {
        std::ofstream(directory_ / "kernel.s") << assembly;
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"x86_64-linux-gnu-as", "--32", "--defsym",
                                       fmt::format("BYTE={}", static_cast<int>(byte)), "--defsym",
                                       fmt::format("TIMES={}", times), "-o", "kernel.o",
                                       "kernel.s"},
              std::vector<std::string>{"x86_64-linux-gnu-ld", "-m", "elf_i386", "-Ttext=0x100000",
                                       "-o", "kernel", "kernel.o"}}) {
            Command command;
            command.argv = words;
            command.cwd = directory_;
            const auto exit = run_blocking(command);
            EXPECT_TRUE(exit && exit->ok()) << (exit ? exit->tail : exit.error().text());
        }
        return directory_ / "kernel";
    }

    // Boots it; once it has said something, `after` is called once.
    Result<BootEnd> boot(const fs::path& kernel, std::function<void()> after = {}) {
        auto guardian = Guardian::start();
        EXPECT_TRUE(guardian);
        asio::io_context context(1);
        Result<BootEnd> result;
        asio::co_spawn(context, boot_it(*guardian, kernel, std::move(after), result),
                       [](std::exception_ptr thrown) {
                           if (thrown)
                               std::rethrow_exception(thrown);
                       });
        context.run();
        EXPECT_EQ(emulator(), 0);
        return result;
    }

    asio::awaitable<void> boot_it(const Guardian& guardian, fs::path kernel,
                                  std::function<void()> after, Result<BootEnd>& result) {
        auto hypervisor = co_await open_hypervisor("qemu:///embed", guardian);
        if (!hypervisor) {
            result = tl::unexpected(hypervisor.error());
            co_return;
        }
        BootSpec spec;
        spec.guest.title = "faults";
        spec.guest.vcpus = 1;
        spec.guest.memory_mib = 128;
        spec.guest.kernel = std::move(kernel);
        spec.limits = {.boot = 6s,
                       .boot_silence = 3s,
                       .idle_silence = 3s,
                       .job_slack = 1s,
                       .shutdown = 1s,
                       .total = 20s};
        spec.console = directory_ / "console";
        spec.channel = directory_ / "channel";
        spec.log_limit_bytes = 64u << 10;
        BootListener listener{[this, after](std::string_view bytes) {
                                  if (heard_ == 0 && after)
                                      after();
                                  heard_ += bytes.size();
                              },
                              [](std::string_view) { return AgentState{}; },
                              [] { return std::string(); }};
        result = co_await run_boot(**hypervisor, std::move(spec), std::move(listener));
    }

    fs::path directory_;
    std::size_t heard_ = 0;
};

TEST_F(RealQemu, AGuestThatSaysNothingHasNeverBooted) {
    const auto end = boot(kernel('x', 1));
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_FALSE(std::holds_alternative<Completed>(end->outcome));
    EXPECT_EQ(heard_, 1u);
}

TEST_F(RealQemu, ALineWithoutEndEndsAtTheDeadline) {
    const auto end = boot(kernel('x', 0));
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_TRUE(std::holds_alternative<NeverBooted>(end->outcome)) << sentence(end->outcome);
    EXPECT_GT(heard_, 128u << 10);
    EXPECT_LT(fs::file_size(directory_ / "console"), 256u << 10);
}

TEST_F(RealQemu, StoppedItIsAHangAndIsKilledAllTheSame) {
    const auto end = boot(kernel('\n', 0), [] { ::kill(emulator(), SIGSTOP); });
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_TRUE(std::holds_alternative<Hung>(end->outcome)) << sentence(end->outcome);
}

TEST_F(RealQemu, KilledItIsNoVerdict) {
    const auto end = boot(kernel('\n', 0), [] { ::kill(emulator(), SIGKILL); });
    ASSERT_FALSE(end) << sentence(end->outcome);
    EXPECT_THAT(end.error().message, HasSubstr("the virtual machine"));
}

} // namespace
} // namespace kmatrix

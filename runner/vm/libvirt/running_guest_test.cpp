// SPDX-License-Identifier: GPL-2.0-only
// Without QEMU: the test writes to the FIFOs as QEMU does, and tells of events as libvirt does.
#include "runner/vm/libvirt/running_guest.h"

#include <chrono>
#include <functional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <libvirt/libvirt.h>

#include "base/files.h"

namespace kmatrix::libvirt {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::_;
using ::testing::HasSubstr;
using ::testing::VariantWith;

class RunningGuestTest : public ::testing::Test {
  protected:
    RunningGuestTest() {
        std::string name = (fs::temp_directory_path() / "guest-XXXXXX").string();
        directory = ::mkdtemp(name.data());
        spec.kernel = directory / "bzImage";
        EXPECT_TRUE(write_file(spec.kernel, "kernel"));
        // A guardian that does nothing: of these folders none is left.
        auto keeper = Guardian::start("/bin/sh", {"sh", "-c", "exec 1>&0; printf .; exec cat"});
        EXPECT_TRUE(keeper);
        guardian = std::make_unique<Guardian>(std::move(*keeper));
    }
    ~RunningGuestTest() override {
        guest.reset();
        context.restart();
        context.run_for(50ms);
        fs::remove_all(directory);
    }

    fs::path folder() const { return directory / "guests" / "kmatrix-1-2-3"; }
    void start() {
        auto made = GuestFolder::make(directory, "kmatrix-1-2-3", spec, *guardian);
        ASSERT_TRUE(made);
        auto running = RunningGuest::make(context.get_executor(), std::move(*made),
                                          {[this](std::string_view bytes) { console += bytes; },
                                           [this](std::string_view bytes) { channel += bytes; }},
                                          directory / "qemu.log");
        ASSERT_TRUE(running);
        guest = *running;
        guest->listen();
        console_fd = ::open((folder() / "console.out").c_str(), O_RDWR);
        channel_fd = ::open((folder() / "channel.out").c_str(), O_RDWR);
        guest->emulator_runs("nobody's");
    }
    void emulator_ends() {
        ::close(std::exchange(console_fd, -1));
        ::close(std::exchange(channel_fd, -1));
    }
    static void write(int fd, const std::string& text) {
        EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void run_until(const std::function<bool()>& condition) {
        context.restart();
        const auto end = std::chrono::steady_clock::now() + 5s;
        while (!condition() && std::chrono::steady_clock::now() < end)
            context.run_one_for(100ms);
        EXPECT_TRUE(condition());
    }

    fs::path directory;
    GuestSpec spec;
    std::unique_ptr<Guardian> guardian;
    asio::io_context context;
    std::shared_ptr<RunningGuest> guest;
    std::string console, channel;
    int console_fd = -1, channel_fd = -1;
};

TEST_F(RunningGuestTest, FolderHasWhatQemuOpensAndGoes) {
    spec.initrd = spec.kernel;
    {
        const auto made = GuestFolder::make(directory, "kmatrix-1-2-3", spec, *guardian);
        ASSERT_TRUE(made);
        EXPECT_EQ(made->files().name, "kmatrix-1-2-3");
        EXPECT_EQ(made->files().kernel, folder() / "kernel");
        EXPECT_EQ(read_file(folder() / "initrd"), "kernel");
        for (const char* fifo : {"console.in", "console.out", "channel.in", "channel.out"})
            EXPECT_TRUE(fs::is_fifo(folder() / fifo)) << fifo;
        EXPECT_EQ(made->files().console, folder() / "console");
        EXPECT_EQ(fs::status(folder()).permissions(), fs::perms(0711));
    }
    EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(RunningGuestTest, AKernelThatIsNotThereIsAnErrorAndLeavesNothing) {
    spec.kernel = directory / "none";
    const auto made = GuestFolder::make(directory, "kmatrix-1-2-3", spec, *guardian);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("none: cannot be copied to"));
    EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(RunningGuestTest, BytesFlowAsTheyCome) {
    start();
    write(console_fd, "Linux version");
    write(channel_fd, "{}\n");
    run_until([&] { return !console.empty() && !channel.empty(); });
    EXPECT_EQ(console, "Linux version");
    EXPECT_EQ(channel, "{}\n");
    EXPECT_FALSE(guest->end.get());
    guest->lost("the test is over");
}

TEST_F(RunningGuestTest, ItIsOverWhenAllIsReadEvenIfLibvirtWasFirst) {
    start();
    guest->events.monitor("SHUTDOWN", R"({"guest":true,"reason":"guest-shutdown"})");
    guest->events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN);
    guest->stopped();
    EXPECT_FALSE(guest->end.get());
    const std::string much(60'000, 'x');
    write(console_fd, much);
    emulator_ends();
    run_until([&] { return guest->end.get().has_value(); });
    EXPECT_EQ(console, much);
    EXPECT_THAT(*guest->end.get(), VariantWith<PoweredOff>(_));
}

TEST_F(RunningGuestTest, ItIsNotOverBeforeLibvirtSaysSo) {
    start();
    emulator_ends();
    context.run_for(20ms);
    EXPECT_FALSE(guest->end.get());
    guest->events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_CRASHED);
    guest->stopped();
    ASSERT_TRUE(guest->end.get());
    EXPECT_THAT(*guest->end.get(), VariantWith<Crashed>(_));
}

TEST_F(RunningGuestTest, OfAnEmulatorThatDiedTheLastLinesAreTold) {
    ASSERT_TRUE(write_file(directory / "qemu.log", "qemu: out of memory\n"));
    start();
    guest->events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_FAILED);
    guest->stopped();
    emulator_ends();
    run_until([&] { return guest->end.get().has_value(); });
    EXPECT_THAT(*guest->end.get(),
                VariantWith<Died>(::testing::Field(&Died::log, "qemu: out of memory")));
}

TEST_F(RunningGuestTest, WhatIsLostIsOverAndHeardNoMore) {
    start();
    guest->lost("the connection broke");
    write(console_fd, "late");
    context.run_for(20ms);
    EXPECT_EQ(console, "");
    EXPECT_THAT(*guest->end.get(),
                VariantWith<Died>(::testing::Field(&Died::what, "the connection broke")));
    emulator_ends();
}

} // namespace
} // namespace kmatrix::libvirt

// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/accel.h"

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "images/protocol.h"
#include "runner/vm/fake.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Life = asio::awaitable<GuestEnd>;

Life boots(GuestSpec, GuestOutput output) {
    output.console("Linux version 7.3.4\n");
    co_await pass(1ms);
    output.console(std::string("[    0.7] ") + protocol::console_marker + "\n");
    co_await pass(60s);
    co_return PoweredOff{};
}

Life says_nothing(GuestSpec, GuestOutput) {
    co_await pass(60s);
    co_return PoweredOff{};
}

class AccelTest : public ::testing::Test {
  protected:
    AccelTest() {
        std::string name = (fs::temp_directory_path() / "accel-XXXXXX").string();
        directory = ::mkdtemp(name.data());
        host.device = directory / "kvm";
        host.boot_id = directory / "boot_id";
        host.memory = directory / "cache" / "kvm-probe.json";
        host.machine = "x86_64";
        host.silence = 20ms;
        host.limit = 60ms;
        EXPECT_TRUE(write_file(host.device, ""));
        EXPECT_TRUE(write_file(host.boot_id, "1b4e28ba\n"));
    }
    ~AccelTest() override { fs::remove_all(directory); }

    Result<AccelChoice> choose(FakeHypervisor::Life life, Accel wanted = Accel::automatic,
                               Arch arch = Arch::x86_64) {
        FakeHypervisor hypervisor(std::move(life));
        hypervisor.refusal = refusal;
        GuestSpec probe;
        probe.arch = arch;
        asio::io_context context;
        Result<AccelChoice> result;
        asio::co_spawn(context, choose_accel(hypervisor, wanted, probe, host),
                       [&](std::exception_ptr failure, Result<AccelChoice> choice) {
                           EXPECT_FALSE(failure);
                           result = std::move(choice);
                       });
        context.run();
        EXPECT_EQ(hypervisor.running(), 0);
        probes = hypervisor.started;
        return result;
    }

    fs::path directory;
    KvmHost host;
    std::optional<Error> refusal;
    std::vector<GuestSpec> probes; // of the last choice
};

TEST_F(AccelTest, AKernelThatComesToItsInitUnderKvmChoosesIt) {
    const auto choice = choose(boots);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::kvm);
    EXPECT_EQ(choice->why, "");
    ASSERT_EQ(probes.size(), 1u);
    EXPECT_EQ(probes[0].accel, Accel::kvm);
    EXPECT_THAT(probes[0].cmdline, StartsWith("console=ttyS0"));
}

TEST_F(AccelTest, AKernelThatSaysNothingUnderKvmFallsBackAndSaysSo) {
    const auto choice = choose(says_nothing);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::tcg);
    EXPECT_EQ(choice->why, "emulating (TCG): /dev/kvm is there, but a kernel under it printed "
                           "nothing in 0 s");
}

TEST_F(AccelTest, WhatUnpacksAKernelIsNoKernel) {
    const auto choice = choose([](GuestSpec, GuestOutput output) -> Life {
        output.console("Probing EDD (edd=off to disable)... ok\n");
        co_await pass(60s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(choice);
    EXPECT_THAT(choice->why, HasSubstr("printed nothing"));
    EXPECT_TRUE(fs::exists(host.memory));
}

TEST_F(AccelTest, WhatWasFoundIsRememberedUntilTheNextBoot) {
    EXPECT_FALSE(kvm_known_bad(host));
    ASSERT_TRUE(choose(says_nothing));
    EXPECT_TRUE(kvm_known_bad(host));
    const auto again = choose(boots);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->accel, Accel::tcg);
    EXPECT_THAT(again->why, HasSubstr("printed nothing"));
    EXPECT_TRUE(probes.empty());

    ASSERT_TRUE(write_file(host.boot_id, "another\n"));
    const auto later = choose(boots);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->accel, Accel::kvm);
    EXPECT_EQ(probes.size(), 1u);
    ASSERT_TRUE(choose(says_nothing));
    EXPECT_TRUE(probes.empty());
}

TEST_F(AccelTest, AKernelThatPrintsButNeverArrivesIsNoLastingWordOnKvm) {
    const auto choice = choose([](GuestSpec, GuestOutput output) -> Life {
        output.console("Linux version 7.3.4\n");
        co_await pass(60s);
        co_return PoweredOff{};
    });
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::tcg);
    EXPECT_THAT(choice->why, HasSubstr("did not come to its init"));
    EXPECT_FALSE(fs::exists(host.memory));
}

TEST_F(AccelTest, AKernelThatPanicsUnderKvmFallsBack) {
    const auto choice = choose([](GuestSpec, GuestOutput output) -> Life {
        output.console("Linux version 7.3.4\nKernel panic\n");
        co_return Crashed{};
    });
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::tcg);
    EXPECT_THAT(choice->why, EndsWith("the kernel ended before it came to its init"));
    EXPECT_FALSE(fs::exists(host.memory));
}

TEST_F(AccelTest, AnEmulatorThatDiesOrDoesNotStartFallsBack) {
    const auto died =
        choose([](GuestSpec, GuestOutput) -> Life { co_return Died{"KVM internal error", ""}; });
    ASSERT_TRUE(died);
    EXPECT_EQ(died->accel, Accel::tcg);
    EXPECT_THAT(died->why, HasSubstr("KVM internal error"));

    fs::remove(host.memory);
    refusal = Error{Blame::infrastructure, "Permission denied", {}, {}};
    const auto refused = choose(nullptr);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->accel, Accel::tcg);
    EXPECT_THAT(refused->why, HasSubstr("Permission denied"));
}

TEST_F(AccelTest, WithoutADeviceThereIsNoProbe) {
    fs::remove(host.device);
    const auto choice = choose(boots);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::tcg);
    EXPECT_THAT(choice->why, EndsWith("/kvm does not exist"));
    EXPECT_TRUE(probes.empty());
}

TEST_F(AccelTest, AnotherArchitectureIsEmulated) {
    const auto choice = choose(boots, Accel::automatic, Arch::arm64);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->accel, Accel::tcg);
    EXPECT_EQ(choice->why, "emulating (TCG): arm64 guests on a x86_64 host");
    EXPECT_TRUE(probes.empty());
}

TEST_F(AccelTest, WhatIsAskedForByNameIsNotProbed) {
    EXPECT_EQ(choose(boots, Accel::kvm)->accel, Accel::kvm);
    EXPECT_TRUE(probes.empty());
    EXPECT_EQ(choose(boots, Accel::tcg)->accel, Accel::tcg);
    EXPECT_TRUE(probes.empty());
    const auto impossible = choose(boots, Accel::kvm, Arch::arm64);
    ASSERT_FALSE(impossible);
    EXPECT_EQ(impossible.error().blame, Blame::user);
}

} // namespace
} // namespace kmatrix

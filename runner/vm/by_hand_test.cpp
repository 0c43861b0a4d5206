// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/by_hand.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::HasSubstr;

TEST(ByHand, X86) {
    GuestSpec spec;
    spec.vcpus = 8;
    spec.kernel = "/cache/build 1/bzImage";
    spec.initrd = "/cache/initrd";
    spec.cmdline = "console=ttyS0 panic=-1";
    EXPECT_EQ(qemu_command(spec),
              "qemu-system-x86_64 -machine q35 -cpu max -device pvpanic "
              "-accel tcg,thread=multi -smp 8,sockets=1,cores=8,threads=1 -m 2048M "
              "-nodefaults -no-reboot -display none -serial mon:stdio -device virtio-serial-pci "
              "-chardev null,id=agent "
              "-device virtserialport,chardev=agent,name=org.kmatrix.agent "
              "-kernel '/cache/build 1/bzImage' -initrd /cache/initrd "
              "-append 'console=ttyS0 panic=-1'");
}

TEST(ByHand, Arm64WithNodesUnderKvm) {
    GuestSpec spec;
    spec.arch = Arch::arm64;
    spec.accel = Accel::kvm;
    spec.vcpus = 4;
    spec.numa_nodes = 2;
    const std::string command = qemu_command(spec);
    EXPECT_THAT(command, HasSubstr("-machine virt,gic-version=3 -cpu host -device pvpanic-pci "
                                   "-accel kvm -smp 4,sockets=2,cores=2,threads=1"));
    EXPECT_THAT(command, HasSubstr("-object memory-backend-ram,id=node1,size=1024M "
                                   "-numa node,nodeid=1,cpus=2-3,memdev=node1"));
}

TEST(ByHand, PointerAuthenticationIsCheapUnderEmulation) {
    GuestSpec spec;
    spec.arch = Arch::arm64;
    EXPECT_THAT(qemu_command(spec), HasSubstr("-cpu max,pauth-impdef=on"));
}

} // namespace
} // namespace kmatrix
